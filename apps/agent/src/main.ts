#!/usr/bin/env node
import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { SystemClock } from '@lanescope/core'
import { AgentError } from './AgentError.js'
import type { AgentConfig } from './config/AgentConfig.js'
import { canOpenBrowser } from './config/canOpenBrowser.js'
import { openBrowser } from './config/openBrowser.js'
import { parseFlags } from './config/parseFlags.js'
import { startAgent } from './startAgent.js'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

async function main(): Promise<void> {
  const flags = parseFlags(process.argv.slice(2), process.cwd())
  if (flags.ask === 'help') {
    process.stdout.write(readFileSync(here('../help.txt'), 'utf8'))
    return
  }
  if (flags.ask === 'refused') {
    process.stderr.write(`${flags.message}\n`)
    process.exitCode = 2
    return
  }
  await serve(flags.config)
}

async function serve(config: AgentConfig): Promise<void> {
  const { version } = JSON.parse(readFileSync(here('../package.json'), 'utf8')) as { version: string }
  const agent = await startAgent({
    config,
    version,
    clock: new SystemClock(),
    webFolder: [here('../web'), here('../../web/dist')].find(existsSync) ?? here('../../web/dist'),
    examplesFolder: here('../../../examples'),
    runChild: here('./runs/child.js'),
    newRunId: randomUUID,
    log: (line) => process.stderr.write(`${line}\n`),
  })
  let ending = false
  const end = () => {
    if (ending) return
    ending = true
    agent.close().then(
      (runs) => {
        // A terminal has echoed the ^C that asked for it.
        process.stdout.write(`${process.stdout.isTTY ? '\n' : ''}${farewell(runs)}\n`)
        process.exit(0)
      },
      (error: unknown) => fail(error),
    )
  }
  process.on('SIGINT', end)
  process.on('SIGTERM', end)
  process.on('SIGHUP', end)
  // Started by another program that keeps a channel to us: we end with it, however it ended.
  process.on('disconnect', end)
  if (config.open && canOpenBrowser(process.platform, process.env)) openBrowser(agent.url, process.platform)
  process.stdout.write(`Lanescope is at ${agent.url}\n`)
}

function farewell(runs: number): string {
  if (runs === 0) return 'Lanescope has ended. Bye.'
  return `Stopped ${runs === 1 ? '1 run' : `${runs} runs`}. Bye.`
}

function fail(error: unknown): void {
  const known = error instanceof AgentError
  process.stderr.write(
    `${known ? error.message : error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
  )
  process.exit(1)
}

main().catch(fail)
