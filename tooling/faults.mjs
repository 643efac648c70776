import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'

/*
 * Runs applications on a real Kafka broker while processes, broker, transactions and local state are broken at random
 * moments, and holds what a read_committed consumer sees against what has to come out.
 *
 *   npm run faults                      every kind of fault on both topologies, several times
 *   npm run faults -- --runs 6          so many runs
 *   npm run faults -- --seed 17         one run, the one that this seed makes
 *   npm run faults -- --only broker     kinds with this in their name
 *   npm run faults -- --say             with what the application has said
 */

const root = fileURLToPath(new URL('..', import.meta.url))
const out = await mkdtemp(join(root, 'node_modules', '.faults-'))
try {
  const input = Object.fromEntries(['main', 'app'].map((name) => [name, join(root, 'tooling', 'faults', `${name}.ts`)]))
  await build({
    root,
    configFile: join(root, 'vite.config.ts'),
    logLevel: 'warn',
    ssr: { noExternal: true, external: ['kafkajs', 'snappy', 'lz4-napi', '@mongodb-js/zstd', 'classic-level'] },
    build: {
      ssr: true,
      outDir: out,
      emptyOutDir: false,
      minify: false,
      target: 'node20',
      rollupOptions: { input, output: { entryFileNames: '[name].mjs', chunkFileNames: '[name].mjs' } },
    },
  })
  process.exitCode = await new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(out, 'main.mjs'), ...process.argv.slice(2)], {
      cwd: root,
      stdio: 'inherit',
    })
    child.on('error', reject)
    child.on('exit', (code) => resolve(code ?? 1))
  })
} finally {
  await rm(out, { recursive: true, force: true })
}
