import { describe, expect, it } from 'vitest'
import {
  Consumed,
  createEngine,
  EmitStrategy,
  Grouped,
  ManualClock,
  Produced,
  parseConfig,
  SeededRandom,
  StreamsBuilder,
  string,
  TimeWindows,
} from '../src/index.js'
import { ScriptedLog } from './ScriptedLog.js'

const TICK_MS = 10

/** Lets everything run that can without time passing. */
async function rest(): Promise<void> {
  for (let i = 0; i < 5; i++) await new Promise((resolve) => setImmediate(resolve))
}

/** Counts `a` per 10 ms with final results, and counts those together with the records of `b`, per 10 ms again. */
function finalsBesideOthers() {
  const builder = new StreamsBuilder()
  const consumed = Consumed.with(string, string) as Consumed<string, string>
  const ten = TimeWindows.ofSizeWithNoGrace(10)
  const finals = builder
    .stream('a', consumed)
    .groupByKey()
    .windowedBy(ten)
    .emitStrategy(EmitStrategy.onWindowClose())
    .count()
    .toStream(({ key }) => key)
    .mapValues((count) => `final ${count}`)
  finals
    .merge(builder.stream('b', consumed))
    .groupByKey(Grouped.with(string, string))
    .windowedBy(ten)
    .reduce((all, value) => `${all}, ${value}`)
    .toStream(({ key, window }) => `${key} [${window.start},${window.end})`)
    .to('out', Produced.with(string, string))
  const config = parseConfig({
    'application.id': 'test',
    'lanes.count': 1,
    'default.key.serde': 'string',
    'time.mode': 'watermark',
    'time.max-out-of-orderness-ms': 0,
    'time.watermark-interval-ms': TICK_MS,
    'max.task.idle.ms': -1,
  })
  const clock = new ManualClock(1_000_000)
  const log = new ScriptedLog({ a: 1, b: 1, out: 1 })
  const topology = builder.build().compile(config)
  return { engine: createEngine({ topology, config, log, clock, random: new SeededRandom(1) }), log, clock }
}

describe('what a scan sends on', () => {
  it('[W7] is not late by the clock that closed it, also where other sources come in behind it', async () => {
    const { engine, log, clock } = finalsBesideOthers()
    await engine.start()
    const tick = async () => {
      await rest()
      clock.advance(TICK_MS)
      await rest()
    }
    log.give('a', 0, 0, [['k', 'x', 5]])
    log.give('b', 0, 0, [['k', 'other', 6]])
    await tick()
    // Both clocks, that of `a` and that of the two together, get to 100 at once.
    log.give('a', 0, 1, [['k', 'x', 100]])
    log.give('b', 0, 1, [['k', 'later', 100]])
    await tick()
    await tick()
    const { counters } = engine.snapshot()
    await engine.stop()
    const written = log.commits.flatMap(({ outputs }) =>
      outputs.map(({ key, value }) =>
        [key, value].map((bytes) => new TextDecoder().decode(bytes ?? undefined)).join(': '),
      ),
    )
    expect(written).toEqual(['k [0,10): other', 'k [100,110): later', 'k [0,10): other, final 1'])
    expect(counters['dropped_records_total{reason="late_window"}'] ?? 0).toBe(0)
  })
})
