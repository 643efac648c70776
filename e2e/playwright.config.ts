import { fileURLToPath } from 'node:url'
import { defineConfig } from '@playwright/test'
import { chromiumArguments, findChromium } from '../tooling/chromium.mjs'

const executablePath = await findChromium()

/** One worker: a test has an agent, its runs and a browser to itself, which is what a user's machine has to bear. */
export default defineConfig({
  testDir: fileURLToPath(new URL('tests', import.meta.url)),
  outputDir: fileURLToPath(new URL('../test-results', import.meta.url)),
  workers: 1,
  retries: 0,
  forbidOnly: Boolean(process.env.CI),
  // They end what hangs; a machine that is slow or busy must not reach them.
  timeout: 300_000,
  expect: { timeout: 45_000 },
  reporter: 'list',
  use: {
    actionTimeout: 90_000,
    viewport: { width: 1440, height: 900 },
    colorScheme: 'dark',
    timezoneId: 'UTC',
    locale: 'en-GB',
    trace: 'retain-on-failure',
    screenshot: 'only-on-failure',
    launchOptions: { args: chromiumArguments(), ...(executablePath === undefined ? {} : { executablePath }) },
  },
})
