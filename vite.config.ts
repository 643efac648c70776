import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const source = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** Tests and the page's build read the packages' sources, so neither needs a build of them first. */
export const alias = [
  { find: /^@lanescope\/core$/, replacement: source('packages/core/src/index.ts') },
  { find: /^@lanescope\/core\/testing$/, replacement: source('packages/core/src/testing/index.ts') },
  { find: /^@lanescope\/core\/simulation$/, replacement: source('packages/core/src/simulation/index.ts') },
  { find: /^@lanescope\/node$/, replacement: source('packages/node/src/index.ts') },
  { find: /^@lanescope\/shared$/, replacement: source('packages/shared/src/index.ts') },
]

export default defineConfig({
  resolve: { alias },
  test: {
    include: [
      'packages/*/{src,test}/**/*.test.ts',
      'apps/*/src/**/*.test.{ts,tsx}',
      'tooling/**/*.test.ts',
      'benchmarks/**/*.test.ts',
      'examples/**/*.test.ts',
    ],
    exclude: ['**/node_modules/**', '**/dist/**', '**/.lanescope/**'],
    maxWorkers: 2,
    // They end what hangs; a machine that is slow or busy must not reach them.
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
})
