import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { Worker } from 'node:worker_threads'
import { build } from 'vite'
import { mutants, plant } from './simulate/mutants.mjs'

/*
 * Runs random topologies through the simulator and holds each run against the engine's rules (D2).
 *
 *   npm run simulate -- --seeds 2000            seeds 1 … 2000
 *   npm run simulate -- --seed 417              one seed, twice, with its plan
 *   npm run simulate -- --seeds 500 --only T5   only breaches of one rule count
 *   npm run simulate -- --stateful crashes      the process dies, too, and its state outlives it
 *   npm run simulate -- --mutants --seeds 300   plants faults in the engine: each must be noticed
 *   npm run simulate -- --mutants --mutant epoch   plants those with this in their name
 */

const root = fileURLToPath(new URL('..', import.meta.url))
const WORKERS = 2

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '2000' },
    seed: { type: 'string' },
    from: { type: 'string', default: '1' },
    only: { type: 'string' },
    'no-shrink': { type: 'boolean', default: false },
    mutants: { type: 'boolean', default: false },
    mutant: { type: 'string', default: '' },
    stateful: { type: 'string', default: 'faults' },
  },
})

const shared = {
  ...(values.only === undefined ? {} : { only: values.only }),
  shrink: !values['no-shrink'] && !values.mutants,
  stateful: oneOf('stateful', ['nothing', 'faults', 'crashes']),
}

const out = await mkdtemp(join(root, 'node_modules', '.simulate-'))
try {
  if (values.mutants) await runMutants()
  else {
    const entry = await bundle('worker.mjs', [])
    const started = performance.now()
    const results = values.seed === undefined ? await runAll(entry, wholeNumber('seeds')) : [await runOne(entry)]
    report(results, (performance.now() - started) / 1000)
  }
} finally {
  await rm(out, { recursive: true, force: true })
}

/** Each planted fault has to be noticed by some seed. */
async function runMutants() {
  let unnoticed = 0
  const chosen = mutants.filter(({ name }) => name.includes(values.mutant))
  for (const [index, mutant] of chosen.entries()) {
    const { plugin, missed } = plant(mutant)
    const entry = await bundle(`mutant-${index}.mjs`, [plugin])
    if (missed().length > 0)
      throw new Error(`The mutant "${mutant.name}" has nothing to change: ${missed().join('; ')}`)
    const results = await runAll(entry, wholeNumber('seeds'), mutant.stateful)
    const failed = results.reduce((sum, result) => sum + result.failed, 0)
    const failures = results.flatMap((result) => result.failures).sort((a, b) => a.seed - b.seed)
    const rules = [...new Set(failures.flatMap(({ breaches }) => breaches.map(({ rule }) => rule)))]
    if (failed === 0) unnoticed++
    const found = failed === 0 ? 'NOT FOUND' : `${failed} seeds, the first ${failures[0].seed}, by ${rules.join(' ')}`
    process.stdout.write(`${mutant.name}: ${found}\n`)
  }
  process.stdout.write(`${chosen.length - unnoticed} found, ${unnoticed} not found\n`)
  process.exitCode = unnoticed === 0 ? 0 : 1
}

/** One file of everything, so that a worker starts at once. */
async function bundle(file, plugins) {
  await build({
    root,
    plugins,
    configFile: join(root, 'vite.config.ts'),
    logLevel: 'warn',
    ssr: { noExternal: true },
    build: {
      ssr: join(root, 'tooling', 'simulate', 'worker.ts'),
      outDir: out,
      emptyOutDir: false,
      minify: false,
      target: 'node20',
      rollupOptions: { output: { entryFileNames: file } },
    },
  })
  return pathToFileURL(join(out, file))
}

async function runAll(entry, seeds, stateful = shared.stateful) {
  const workers = Math.min(WORKERS, seeds)
  const from = wholeNumber('from')
  return Promise.all(
    Array.from({ length: workers }, (_, index) => {
      const count = Math.floor((seeds - index + workers - 1) / workers)
      return runWorker(entry, { ...shared, stateful, from: from + index, step: workers, count, twice: false })
    }),
  )
}

function runOne(entry) {
  return runWorker(entry, { ...shared, from: wholeNumber('seed'), step: 1, count: 1, twice: true })
}

function runWorker(entry, workerData) {
  return new Promise((resolve, reject) => {
    let last = workerData.from
    const worker = new Worker(entry, { workerData })
    worker.on('message', (message) => {
      if (message.type === 'result') resolve(message.result)
      else {
        last = message.seed
        if (message.failed && !values.mutants) process.stdout.write(`seed ${message.seed} failed\n`)
      }
    })
    worker.on('error', (error) => reject(new Error(`A worker broke down after seed ${last}: ${error.stack ?? error}`)))
    worker.on('exit', () => reject(new Error(`A worker ended early after seed ${last}`)))
  })
}

function report(results, seconds) {
  const sum = (name) => results.reduce((total, result) => total + result[name], 0)
  const failures = results.flatMap((result) => result.failures).sort((a, b) => a.seed - b.seed)
  for (const failure of failures) process.stdout.write(`${explain(failure)}\n`)
  const passed = sum('passed')
  const failed = sum('failed')
  const rate = ((passed + failed) / seconds).toFixed(0)
  process.stdout.write(`${sum('steps')} steps, ${sum('engines')} engines, ${seconds.toFixed(1)} s, ${rate} seeds/s\n`)
  const refused = sum('refused')
  if (refused > 0) process.stdout.write(`${refused} ended with state that is not the log’s, and were refused (E13)\n`)
  process.stdout.write(`${passed} passed, ${failed} failed\n`)
  process.exitCode = failed === 0 ? 0 : 1
}

function explain({ seed, breaches, plan, shrunk, shrunkBreaches }) {
  const list = (all) => all.map(({ rule, what }) => `  [${rule}] ${what}`).join('\n')
  const size = ({ inputs, processors }) => `${processors.length} processors, ${inputs.length} inputs`
  return [
    `\nseed ${seed} (${size(plan)}) breaks:`,
    list(breaches),
    `shrunk to ${size(shrunk)}, which breaks:`,
    list(shrunkBreaches),
    JSON.stringify(shrunk, undefined, 1).replace(/\n\s+(?="(topic|partition|key|timestamp|arrivesAtMs)")/g, ' '),
    `again: npm run simulate -- --seed ${seed}`,
  ].join('\n')
}

function oneOf(name, options) {
  if (options.includes(values[name])) return values[name]
  throw new TypeError(`--${name} must be one of ${options.join(', ')}; got "${values[name]}".`)
}

function wholeNumber(name) {
  const number = Number(values[name])
  if (Number.isSafeInteger(number) && number >= 1) return number
  throw new TypeError(`--${name} must be a whole number of at least 1; got "${values[name]}".`)
}
