import { add, lastLine, NOTHING } from './checks/tally.mjs'
import { SetupError, setup } from './setup.mjs'

/* `npm test`: sets up what is out of date, then every check and every test, each named, and a last line that counts. */

const HELP = `Checks everything: lint, types, arrows, unit tests, end-to-end tests.

  --unit    only the unit tests
  --e2e     only the end-to-end tests
  --help    print this text

The browser is the one that LANESCOPE_CHROMIUM names, else Playwright's own, else a chromium or google-chrome on the
path; without any, Playwright installs one. Tests against a real Kafka broker need Java 17 and Maven, and are skipped
without them.
`

const args = process.argv.slice(2)
const unknown = args.find((arg) => !['--unit', '--e2e', '--help'].includes(arg))

if (unknown !== undefined) {
  process.stderr.write(`Unknown flag "${unknown}"; --help lists the flags\n`)
  process.exitCode = 2
} else if (args.includes('--help')) {
  process.stdout.write(HELP)
} else {
  process.exitCode = await testAll(args.map((arg) => arg.slice(2)))
}

async function testAll(groups) {
  if (!(await prepared())) return 1
  // Only now: these need packages that the set-up has installed.
  const { STEPS } = await import('./checks/steps.mjs')
  let sum = NOTHING
  const lines = []
  for (const step of STEPS) {
    if (groups.length > 0 && !groups.includes(step.group)) continue
    process.stdout.write(`\n── ${step.name}\n`)
    const begun = performance.now()
    const tally = await tallyOfStep(step)
    sum = add(sum, tally)
    const mark = tally.failed > 0 ? '✗' : '✓'
    lines.push(`${mark} ${step.name.padEnd(18)}${secondsSince(begun).padStart(8)}   ${lastLine(tally)}`)
    process.stdout.write(`${lines.at(-1)}\n`)
  }
  process.stdout.write(`\n${lines.join('\n')}\n\n${lastLine(sum)}\n`)
  return sum.failed === 0 ? 0 : 1
}

/** A step that throws has failed; the others still run. */
async function tallyOfStep(step) {
  try {
    return await step.run()
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : error}\n`)
    return { ...NOTHING, failed: 1 }
  }
}

async function prepared() {
  try {
    await setup((line) => process.stdout.write(`${line}\n`))
    return true
  } catch (error) {
    if (!(error instanceof SetupError)) throw error
    process.stderr.write(`${error.message}\n`)
    process.stdout.write(`\n${lastLine({ ...NOTHING, failed: 1 })}\n`)
    return false
  }
}

function secondsSince(begun) {
  return `${((performance.now() - begun) / 1000).toFixed(1)} s`
}
