import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { here, Ks, type Line, script, startBroker } from './ks.js'
import { startOurs } from './ours.js'
import { cpuSeconds } from './processCosts.js'
import { names } from './topologies.js'

/*
 * Kafka Streams and this engine side by side: the same broker, the same input topic, one after the other, each output
 * checked. The protocol is that of benchmarks/kafka-streams/README.md.
 */

const { values } = parseArgs({
  options: {
    records: { type: 'string', default: '1000000' },
    keys: { type: 'string', default: '100000' },
    passes: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
    side: { type: 'string', default: 'both' },
    guarantee: { type: 'string', default: 'exactly_once_v2' },
    latency: { type: 'string', default: '20' },
    warmup: { type: 'string', default: '8' },
    rate: { type: 'string', default: '2000' },
    /** MB of V8's room for young objects, as `npm start` of an exported project sets it; 16 is Node's own. */
    'semi-space': { type: 'string', default: '8' },
    /** A folder for CPU profiles of our application. */
    profile: { type: 'string' },
    root: { type: 'string', default: process.cwd() },
  },
})
const { root, records, keys, guarantee } = values
const app = join(here, 'app.mjs')
const dir = await mkdtemp(join(tmpdir(), 'lanescope-bench-'))
const print = (line: string) => process.stdout.write(`${line}\n`)
let run = 0
const epochs: string[] = []

try {
  const { bootstrap, pid } = await startBroker(root, join(dir, 'broker'))
  const ks = new Ks(root, bootstrap)
  const gen = await ks.run(['gen', '--records', records, '--keys', keys, '--partitions', '4'])
  print(JSON.stringify(gen))
  const chosen = names.filter((name) => name.includes(values.only))
  print(
    '| topology | side | records/s | CPU s per million | broker CPU s per million | start-up s | RSS MB | checked |',
  )
  print('| --- | --- | ---: | ---: | ---: | ---: | ---: | --- |')
  for (let pass = 0; pass < Number(values.passes); pass++) {
    for (const name of chosen) {
      if (values.side !== 'ours') await throughputOfKafkaStreams(ks, name, pid)
      if (values.side !== 'streams') await throughputOfOurs(ks, bootstrap, name, pid)
    }
  }
  if (epochs.length > 0) {
    print('\n| topology | epochs | ms an epoch, mean | ms of its commit, mean |\n| --- | ---: | ---: | ---: |')
    for (const line of epochs) print(line)
  }
  if (Number(values.latency) > 0) {
    print('')
    print('| topology | side | P50 ms | P90 ms | P99 ms | P99.9 ms | max ms | unanswered |')
    print('| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |')
    for (const name of chosen) {
      if (values.side !== 'ours') await latencyOfKafkaStreams(ks, name)
      if (values.side !== 'streams') await latencyOfOurs(ks, bootstrap, name)
    }
  }
} finally {
  await script(`${root}/tooling/kafka/stop`, ['--delete', join(dir, 'broker')])
  await rm(dir, { recursive: true, force: true })
}

async function throughputOfKafkaStreams(ks: Ks, name: string, broker: number): Promise<void> {
  const output = `ks-${name}-out`
  const line = await ks.run([
    'run',
    name,
    '--guarantee',
    guarantee,
    '--threads',
    '1',
    '--output',
    output,
    '--broker-pid',
    String(broker),
  ])
  const checked = await ks.run(['verify', name, '--output', output])
  row(name, 'Kafka Streams', line, checked)
}

async function throughputOfOurs(ks: Ks, bootstrap: string, name: string, broker: number): Promise<void> {
  const id = `ours-${name}-${++run}`
  const output = `${id}-out`
  await makeTopic(bootstrap, output)
  const brokerBefore = cpuSeconds(broker)
  const ours = await startOurs(
    app,
    appArgs(bootstrap, name, id, 'orders', output, ['--records', records]),
    nodeFlags(id),
  )
  const costs = await ours.costs
  const millions = Number(records) / 1e6
  const line = {
    records_per_s: Number(records) / Number(costs.wall_s),
    cpu_s_per_million: Number(costs.cpu_s) / millions,
    broker_cpu_s_per_million: (cpuSeconds(broker) - brokerBefore) / millions,
    startup_s: ours.startup.startup_s,
    rss_peak_mb: costs.rss_peak_mb,
  }
  row(name, 'ours', line, await ks.run(['verify', name, '--output', output]))
  epochs.push(`| ${name} | ${costs.epochs} | ${costs.epoch_ms} | ${costs.commit_ms} |`)
}

async function latencyOfKafkaStreams(ks: Ks, name: string): Promise<void> {
  const { rate, latency, warmup } = values
  latencyRow(
    name,
    'Kafka Streams',
    await ks.run(['latency', name, '--guarantee', guarantee, '--rate', rate, '--seconds', latency, '--warmup', warmup]),
  )
}

async function latencyOfOurs(ks: Ks, bootstrap: string, name: string): Promise<void> {
  const id = `ours-latency-${name}-${++run}`
  const [input, output] = [`${id}-in`, `${id}-out`]
  await makeTopic(bootstrap, input)
  await makeTopic(bootstrap, output)
  const ours = await startOurs(app, appArgs(bootstrap, name, id, input, output, []), nodeFlags(id))
  const { rate, latency, warmup } = values
  const line = await ks.run([
    'probe',
    name,
    '--input',
    input,
    '--output',
    output,
    '--rate',
    rate,
    '--seconds',
    latency,
    '--warmup',
    warmup,
  ])
  ours.end()
  await ours.costs
  latencyRow(name, 'ours', line)
}

function appArgs(bootstrap: string, name: string, id: string, input: string, output: string, more: readonly string[]) {
  return [
    '--topology',
    name,
    '--bootstrap',
    bootstrap,
    '--input',
    input,
    '--output',
    output,
    '--id',
    id,
    '--guarantee',
    guarantee,
    '--state',
    join(dir, id),
    ...more,
  ]
}

function nodeFlags(id: string): string[] {
  const { profile } = values
  const flags = [`--max-semi-space-size=${values['semi-space']}`]
  if (profile === undefined) return flags
  return [...flags, '--cpu-prof', `--cpu-prof-dir=${profile}`, `--cpu-prof-name=${id}.cpuprofile`]
}

/** As the Java side makes its own: four partitions, nothing deleted by record time. */
async function makeTopic(bootstrap: string, topic: string): Promise<void> {
  const { Kafka, logLevel } = (await import('kafkajs')).default
  const admin = new Kafka({ brokers: [bootstrap], logLevel: logLevel.NOTHING }).admin()
  await admin.connect()
  const configEntries = [{ name: 'retention.ms', value: '-1' }]
  await admin.createTopics({ waitForLeaders: true, topics: [{ topic, numPartitions: 4, configEntries }] })
  await admin.disconnect()
}

function row(name: string, side: string, line: Line, checked: Line): void {
  const number = (field: string, digits: number) => {
    const value = Number(line[field])
    return Number.isFinite(value) ? value.toLocaleString('en', { maximumFractionDigits: digits }) : '–'
  }
  const ok = checked.ok === true ? 'ok' : JSON.stringify(checked)
  print(
    `| ${name} | ${side} | ${number('records_per_s', 0)} | ${number('cpu_s_per_million', 1)} | ${number('broker_cpu_s_per_million', 1)} | ${number('startup_s', 1)} | ${number('rss_peak_mb', 0)} | ${ok} |`,
  )
}

function latencyRow(name: string, side: string, line: Line): void {
  const fields = ['p50_ms', 'p90_ms', 'p99_ms', 'p999_ms', 'max_ms', 'unanswered']
  print(`| ${name} | ${side} | ${fields.map((field) => String(line[field] ?? '–')).join(' | ')} |`)
}
