import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'

/*
 * Runs a benchmark in a process of its own and prints its table.
 *
 *   npm run bench -- engine                     all cases, the best of three runs each
 *   npm run bench -- state                      state on disk, larger than memory
 *   npm run bench -- timers                     ten million pending timers
 *   npm run bench -- kafka                      side by side with Kafka Streams, on a real broker
 *   npm run bench -- engine --only re-key       cases with this in their name
 *   npm run bench -- engine --scale 0.1         a tenth of everything
 *   npm run bench -- engine --profile out/      writes a CPU profile, to be read by a browser's developer tools
 *   npm run bench -- kafka --profile out/       one of the application for each run of it
 */

const root = fileURLToPath(new URL('..', import.meta.url))
const SUITES = ['engine', 'dsl', 'state', 'timers', 'kafka'].filter((suite) =>
  existsSync(join(root, 'benchmarks', suite, 'main.ts')),
)
/** Packages that load parts of themselves by path, or binaries. */
const NATIVE = ['kafkajs', 'snappy', 'lz4-napi', '@mongodb-js/zstd', 'classic-level']

const [suite, ...rest] = process.argv.slice(2)
if (!SUITES.includes(suite)) {
  process.stderr.write(`Name a benchmark: ${SUITES.join(', ')}; got "${suite ?? ''}".\n`)
  process.exitCode = 2
} else {
  process.exitCode = await run(suite, rest)
}

async function run(suite, args) {
  const out = await mkdtemp(join(root, 'node_modules', '.bench-'))
  try {
    await bundle(suite, out)
    // The Kafka benchmark's own process only starts others: it hands the folder on to the application.
    const { flags, others } = suite === 'kafka' ? { flags: [], others: args } : takeProfile(args)
    return await node([...flags, join(out, 'main.mjs'), ...others])
  } finally {
    await rm(out, { recursive: true, force: true })
  }
}

/** One file of everything, not minified, so that a profile names what it saw. */
async function bundle(suite, outDir) {
  const folder = join(root, 'benchmarks', suite)
  // Of the Kafka benchmark the application under measurement is a program of its own.
  const input = Object.fromEntries(
    ['main', 'app']
      .filter((name) => existsSync(join(folder, `${name}.ts`)))
      .map((name) => [name, join(folder, `${name}.ts`)]),
  )
  await build({
    root,
    configFile: join(root, 'vite.config.ts'),
    logLevel: 'warn',
    ssr: { noExternal: true, external: NATIVE },
    build: {
      ssr: true,
      outDir,
      emptyOutDir: false,
      minify: false,
      target: 'node20',
      rollupOptions: { input, output: { entryFileNames: '[name].mjs', chunkFileNames: '[name].mjs' } },
    },
  })
}

function takeProfile(args) {
  const at = args.indexOf('--profile')
  if (at < 0) return { flags: [], others: args }
  const folder = args[at + 1] ?? '.'
  return { flags: ['--cpu-prof', `--cpu-prof-dir=${folder}`], others: args.toSpliced(at, 2) }
}

function node(args) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { cwd: root, stdio: 'inherit' })
    child.on('error', reject)
    child.on('exit', (code) => resolve(code ?? 1))
  })
}
