import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { Broker } from './Broker.js'
import { type Fault, possibleFaults } from './faults.js'
import { runOne } from './runOne.js'
import { kinds } from './topologies.js'

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '48' },
    from: { type: 'string', default: '1' },
    seed: { type: 'string' },
    only: { type: 'string', default: '' },
    records: { type: 'string', default: '6000' },
    say: { type: 'boolean', default: false },
  },
})
interface Tally {
  passed: number
  failed: number
  seconds: number
  starts: number
  restarts: number
  restored: number
}

const app = join(dirname(fileURLToPath(import.meta.url)), 'app.mjs')
const { faults, left } = possibleFaults()
const chosen = Object.keys(faults).filter((name) => name.includes(values.only))
for (const reason of left) print(`left out: ${reason}`)
const seeds =
  values.seed === undefined
    ? Array.from({ length: Number(values.runs) }, (_, index) => Number(values.from) + index)
    : [Number(values.seed)]
const tally = new Map<string, Tally>()
const broker = await Broker.start(process.cwd())
let failed = 0
try {
  for (const seed of seeds) {
    const kind = kinds[seed % kinds.length] as (typeof kinds)[number]
    const fault = chosen[Math.floor(seed / kinds.length) % chosen.length] as string
    const result = await runOne({
      seed,
      kind,
      fault: faults[fault] as Fault,
      app,
      broker,
      records: Number(values.records),
    })
    if (values.say) print(result.said.join('\n'))
    const name = `${kind}, ${fault}`
    const counts = tally.get(name) ?? { passed: 0, failed: 0, seconds: 0, starts: 0, restarts: 0, restored: 0 }
    tally.set(name, counts)
    counts.seconds += result.seconds
    counts.starts += result.starts
    counts.restarts += result.restarts
    counts.restored += result.restored
    if (result.differences.length === 0) counts.passed++
    else {
      counts.failed++
      failed++
      print(`seed ${seed} (${name}) FAILED\n  ${result.differences.slice(0, 10).join('\n  ')}`)
      print(
        result.said
          .slice(-60)
          .map((line) => `    ${line}`)
          .join('\n'),
      )
    }
    print(
      `seed ${seed}: ${name}: ${result.differences.length === 0 ? 'exact' : 'FAILED'}, ${result.starts} starts, ${result.restarts} restarts in place, ${result.restored} stores restored, ${result.seconds.toFixed(1)} s`,
    )
  }
} finally {
  await broker.end()
}
print(
  '\n| topology, fault | runs | exact | starts | restarts in place | stores restored | seconds |\n| --- | ---: | ---: | ---: | ---: | ---: | ---: |',
)
for (const [name, { passed, failed, seconds, starts, restarts, restored }] of [...tally].sort()) {
  print(`| ${name} | ${passed + failed} | ${passed} | ${starts} | ${restarts} | ${restored} | ${seconds.toFixed(0)} |`)
}
print(`\n${seeds.length - failed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
