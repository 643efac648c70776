import { performance } from 'node:perf_hooks'
import { parseArgs } from 'node:util'
import { SystemClock } from '@lanescope/core'
import { run } from '@lanescope/node'
import { cpuSeconds, peakResidentMb } from './processCosts.js'
import { build, type Name, names } from './topologies.js'

/*
 * The application under measurement, in a process of its own. It tells on standard output when it is running; with
 * --records it ends when so many are done and their epoch is committed, else when its input closes, and prints its costs.
 */

const { values } = parseArgs({
  options: {
    topology: { type: 'string' },
    bootstrap: { type: 'string' },
    input: { type: 'string' },
    output: { type: 'string' },
    id: { type: 'string' },
    guarantee: { type: 'string' },
    records: { type: 'string' },
    state: { type: 'string' },
  },
})
const name = names.find((known) => known === values.topology) as Name
const started = performance.now()
const app = await run(
  build(name, values.input as string, values.output as string),
  {
    'application.id': values.id,
    'bootstrap.servers': values.bootstrap,
    'processing.guarantee': values.guarantee,
    'time.mode': 'stream-time',
    'future-timestamp.guard': 'off',
    'future-timestamp.check': 'off',
    'topology.validation.future-timestamp': 'off',
    'state.dir': values.state ?? ':memory:',
  },
  { clock: new SystemClock(), report: (level, message) => level !== 'info' && console.error(`${level} ${message}`) },
)
app.events.on(['log', 'error'], (event) => {
  if (event.type === 'error' || (event.type === 'log' && event.level !== 'info')) console.error(JSON.stringify(event))
})
const running = performance.now()
const cpuAtStart = cpuSeconds('self')
process.stdout.write(`${JSON.stringify({ running: true, startup_s: (running - started) / 1000 })}\n`)

let ended = 0
const epochs = { count: 0, records: 0, runMs: 0, commitMs: 0 }
// From what each epoch tells, and not from snapshots: those ask the stores for their exact size, which is work of its own.
app.events.on(['epoch-committed'], (event) => {
  if (event.type !== 'epoch-committed') return
  epochs.count++
  epochs.records += event.records
  epochs.runMs += event.runMs
  epochs.commitMs += event.commitMs
  if (values.records === undefined || ended > 0 || epochs.records < Number(values.records)) return
  ended = performance.now()
  tell()
  void app.stop()
})
if (values.records === undefined) process.stdin.on('data', () => undefined).on('end', () => void app.stop())
const failure = await app.finished
if (values.records === undefined) tell()
if (failure !== undefined) console.error(failure)
process.exitCode = failure === undefined ? 0 : 1

function tell(): void {
  const cpu_s = cpuSeconds('self') - cpuAtStart
  const wall_s = ((ended || performance.now()) - running) / 1000
  const rss_peak_mb = peakResidentMb('self')
  const mean = (ms: number) => Math.round(ms / Math.max(1, epochs.count))
  const costs = { wall_s, cpu_s, rss_peak_mb, counters: app.snapshot().counters }
  const times = { epochs: epochs.count, epoch_ms: mean(epochs.runMs), commit_ms: mean(epochs.commitMs) }
  process.stdout.write(`${JSON.stringify({ ...costs, ...times })}\n`)
}
