import { mkdtemp, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { Worker } from 'node:worker_threads'
import { build } from 'vite'
import { findCases } from './conformance/findCases.mjs'
import { explain, summarise } from './conformance/report.mjs'

/*
 * Runs cases of observed Kafka Streams behaviour through the engine, under `compat: kafka-streams`.
 *
 *   npm run conformance                             all cases of tooling/conformance/cases
 *   npm run conformance -- DIR                      all cases of another folder
 *   npm run conformance -- --only window/           those with this in their path
 *   npm run conformance -- --only a/ --only b/      those with any of these
 *   npm run conformance -- --repaired               with the engine's repairs, and the results that they change
 *   npm run conformance -- --summary                how many of each group, without the differences
 */

const root = fileURLToPath(new URL('..', import.meta.url))
const WORKERS = 2

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string', multiple: true, default: [] },
    repaired: { type: 'boolean', default: false },
    summary: { type: 'boolean', default: false },
  },
})

const ours = join(root, 'tooling', 'conformance')
const folder = resolve(process.env.INIT_CWD ?? process.cwd(), positionals[0] ?? join(ours, 'cases'))
const compat = values.repaired ? 'repair' : 'kafka-streams'
const cases = (await findCases(folder, join(ours, 'repaired'))).filter(
  ({ name }) => values.only.length === 0 || values.only.some((part) => name.includes(part)),
)
const out = await mkdtemp(join(root, 'node_modules', '.conformance-'))
try {
  const started = performance.now()
  const reports = await runAll(await bundle())
  reports.sort((a, b) => (a.file < b.file ? -1 : 1))
  const failed = reports.filter(({ differences }) => differences.length > 0)
  if (values.summary) process.stdout.write(`${summarise(reports)}\n`)
  else for (const report of failed) process.stdout.write(`${explain(report)}\n\n`)
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  process.stdout.write(`${reports.length} cases in ${seconds} s\n`)
  process.stdout.write(`${reports.length - failed.length} passed, ${failed.length} failed\n`)
  process.exitCode = failed.length === 0 && reports.length > 0 ? 0 : 1
} finally {
  await rm(out, { recursive: true, force: true })
}

/** One file of everything, so that a worker starts at once. */
async function bundle() {
  await build({
    root,
    configFile: join(root, 'vite.config.ts'),
    logLevel: 'warn',
    ssr: { noExternal: true },
    build: {
      ssr: join(root, 'tooling', 'conformance', 'worker.ts'),
      outDir: out,
      emptyOutDir: false,
      minify: false,
      sourcemap: 'inline',
      target: 'node20',
      rollupOptions: { output: { entryFileNames: 'worker.mjs' } },
    },
  })
  return pathToFileURL(join(out, 'worker.mjs'))
}

async function runAll(entry) {
  const shares = Array.from({ length: WORKERS }, (_, index) => cases.filter((_each, at) => at % WORKERS === index))
  return (await Promise.all(shares.filter((share) => share.length > 0).map((share) => runShare(entry, share)))).flat()
}

/** A worker that breaks down fails the case that it was at, and another one goes on behind it. */
async function runShare(entry, share) {
  const reports = []
  while (reports.length < share.length) {
    const problem = await runWorker(entry, share.slice(reports.length), reports)
    if (problem === undefined) continue
    const difference = { where: 'the case', expected: 'a run', actual: problem }
    reports.push({ file: share[reports.length].name, differences: [difference] })
  }
  return reports
}

function runWorker(entry, files, reports) {
  const wanted = reports.length + files.length
  return new Promise((resolvePromise) => {
    const worker = new Worker(entry, { workerData: { files, compat } })
    worker.on('message', (report) => reports.push(report))
    worker.on('error', (error) => resolvePromise(`The worker broke down: ${error.stack ?? error}`))
    worker.on('exit', () => resolvePromise(reports.length < wanted ? 'The worker ended early.' : undefined))
  })
}
