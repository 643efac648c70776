/*
 * Reads what the test runners report, and adds it up. A runner that ended badly without saying which test failed
 * counts as one failed test: a crash must never look like success.
 */

export const NOTHING = { passed: 0, failed: 0, skipped: 0 }

/** One check that is no test runner: it holds or it does not. */
export function tallyOf(passed) {
  return passed ? { ...NOTHING, passed: 1 } : { ...NOTHING, failed: 1 }
}

export function add(one, other) {
  return {
    passed: one.passed + other.passed,
    failed: one.failed + other.failed,
    skipped: one.skipped + other.skipped,
  }
}

/** From Vitest's JSON report. A file that could not be loaded has no tests to fail, so it counts as one itself. */
export function tallyVitest(report, exitCode) {
  const broken = report.testResults.filter((file) => file.status === 'failed' && !hasFailure(file)).length
  return withExitCode(
    {
      passed: report.numPassedTests,
      failed: report.numFailedTests + broken,
      skipped: report.numPendingTests + report.numTodoTests,
    },
    exitCode,
  )
}

/** From Playwright's JSON report. A test that only passed on a second try is not taken for passed. */
export function tallyPlaywright(report, exitCode) {
  const { expected, unexpected, flaky, skipped } = report.stats
  return withExitCode({ passed: expected, failed: unexpected + flaky + report.errors.length, skipped }, exitCode)
}

/** The last line of the test command. */
export function lastLine({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed, ${skipped} skipped`
}

function hasFailure(file) {
  return file.assertionResults.some((test) => test.status === 'failed')
}

function withExitCode(tally, exitCode) {
  return exitCode !== 0 && tally.failed === 0 ? { ...tally, failed: 1 } : tally
}
