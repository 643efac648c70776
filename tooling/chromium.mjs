import { accessSync, constants, existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { delimiter, join } from 'node:path'

/*
 * Which browser the end-to-end tests drive. One place, for the test command, the Playwright configuration and the
 * screenshots, so that they cannot disagree.
 */

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

/**
 * The executable to use: the one that `LANESCOPE_CHROMIUM` names, else the one that Playwright has installed, else one
 * on the path. Undefined where there is none.
 *
 * @throws Error if `LANESCOPE_CHROMIUM` names no file
 */
export async function findChromium(environment = process.env) {
  const named = environment.LANESCOPE_CHROMIUM
  if (named) {
    if (existsSync(named)) return named
    throw new Error(`LANESCOPE_CHROMIUM is "${named}", and there is no such file; name a Chromium's executable`)
  }
  return (await playwrightsOwn()) ?? onPath(environment)
}

/** Chromium refuses to sandbox itself for root, which is who runs tests in most containers. */
export function chromiumArguments(userId = process.getuid?.()) {
  return userId === 0 ? ['--no-sandbox'] : []
}

async function playwrightsOwn() {
  const require = createRequire(new URL('../e2e/package.json', import.meta.url))
  const { chromium } = require('@playwright/test')
  const path = chromium.executablePath()
  return path && existsSync(path) ? path : undefined
}

function onPath({ PATH = '' }) {
  const folders = PATH.split(delimiter).filter((folder) => folder !== '')
  return NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable)
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch (error) {
    if (error instanceof Error) return false
    throw error
  }
}
