import { fileURLToPath } from 'node:url'
import { defineConfig } from '@playwright/test'
import config from './playwright.config.js'

/** Makes the pictures in `docs/images` from the real app: `npm run screenshots`. */
export default defineConfig(config, {
  testDir: fileURLToPath(new URL('screenshots', import.meta.url)),
  use: { deviceScaleFactor: 1.5 },
})
