import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { findChromium } from '../chromium.mjs'
import { ROOT } from '../setup.mjs'
import { runNode } from './runCommand.mjs'
import { tallyOf, tallyPlaywright, tallyVitest } from './tally.mjs'

/** What `npm test` does, in this order. Each step answers how many tests passed, failed and were skipped. */
export const STEPS = [
  { name: 'Lint', group: 'checks', run: () => check('@biomejs/biome', 'biome', ['check', '--error-on-warnings', '.']) },
  { name: 'Types', group: 'checks', run: () => check('typescript', 'tsc', ['-b']) },
  { name: 'Arrows', group: 'checks', run: async () => tallyOf((await runNode(ours('arrows/check.mjs'), [])) === 0) },
  { name: 'Kafka broker', group: 'kafka', run: brokerCanRun },
  { name: 'Unit tests', group: 'unit', run: unit },
  { name: 'End-to-end tests', group: 'e2e', run: endToEnd },
]

const packagesOf = createRequire(join(ROOT, 'e2e', 'package.json'))
const ours = (path) => join(ROOT, 'tooling', path)

/** The script behind a package's command, so that no shell and no PATH stands between. */
function binOf(packageName, command) {
  const manifest = packagesOf.resolve(`${packageName}/package.json`)
  const { bin } = JSON.parse(readFileSync(manifest, 'utf8'))
  return join(manifest, '..', typeof bin === 'string' ? bin : bin[command])
}

async function check(packageName, command, args) {
  return tallyOf((await runNode(binOf(packageName, command), args)) === 0)
}

/** Without Java the suites of the real broker are skipped, with the reason; in CI that must not happen unseen. */
async function brokerCanRun() {
  const missing = ['java', 'mvn'].filter(
    (command) => spawnSync(command, ['-version'], { stdio: 'ignore' }).status !== 0,
  )
  if (missing.length === 0) return tallyOf(jarsAreThere())
  const what = `${missing.join(' and ')} not found: the tests against a real Kafka broker need Java 17 and Maven`
  if (process.env.CI) {
    process.stdout.write(`${what}, and in CI they must run\n`)
    return tallyOf(false)
  }
  process.stdout.write(`${what}, and are skipped\n`)
  return { passed: 0, failed: 0, skipped: 1 }
}

/** Fetches the broker's jars before any test needs them: no test's time limit is one of a download. */
function jarsAreThere() {
  const { status, error } = spawnSync('bash', [ours('kafka/jars')], { stdio: ['ignore', 'ignore', 'inherit'] })
  if (error !== undefined) process.stderr.write(`${ours('kafka/jars')} could not be started: ${error.message}\n`)
  return status === 0
}

function unit() {
  return reported(async (file) => {
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`]
    return runNode(binOf('vitest', 'vitest'), ['run', '--maxWorkers=2', ...reporters])
  }, tallyVitest)
}

async function endToEnd() {
  const chromium = await chromiumToUse()
  if (chromium === undefined) {
    process.stdout.write('No Chromium found: install one, or name its executable in LANESCOPE_CHROMIUM\n')
    return tallyOf(false)
  }
  process.stdout.write(`Browser: ${chromium}\n`)
  const playwright = binOf('@playwright/test', 'playwright')
  return reported(
    (file) =>
      runNode(playwright, ['test', '-c', join('e2e', 'playwright.config.ts'), '--reporter=list,json'], {
        LANESCOPE_CHROMIUM: chromium,
        PLAYWRIGHT_JSON_OUTPUT_NAME: file,
      }),
    tallyPlaywright,
  )
}

/** On a user's machine a missing browser is fetched; in CI whoever prepares the machine chooses it. */
async function chromiumToUse() {
  const found = await findChromium()
  if (found !== undefined || process.env.CI) return found
  process.stdout.write('No Chromium found: Playwright installs its own\n')
  await runNode(binOf('@playwright/test', 'playwright'), ['install', 'chromium'])
  return findChromium()
}

/** Runs a test runner that writes a JSON report; without a report it has failed. */
async function reported(runTo, tally) {
  const cache = join(ROOT, 'node_modules', '.cache')
  mkdirSync(cache, { recursive: true })
  const folder = mkdtempSync(join(cache, 'report-'))
  const file = join(folder, 'report.json')
  try {
    const exitCode = await runTo(file)
    return existsSync(file) ? tally(JSON.parse(readFileSync(file, 'utf8')), exitCode) : tallyOf(false)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
