import { describe, expect, it } from 'vitest'
import {
  type CallbackContext,
  Consumed,
  Headers,
  long,
  Materialized,
  type Record,
  SessionWindows,
  Stores,
  StreamsBuilder,
  string,
  TimeWindows,
  Topology,
  windowed,
} from '../index.js'
import { CapturedOutputs } from './CapturedOutputs.js'
import { TopologyTestDriver } from './index.js'

type Context = CallbackContext<any, any, any>
const texts = { 'default.key.serde': 'string', 'default.value.serde': 'string' }
const echo = () => new StreamsBuilder()

function echoing(): TopologyTestDriver {
  const builder = echo()
  builder.stream('in', Consumed.with(string, string)).to('out')
  return new TopologyTestDriver(builder.build(), texts)
}

describe('an input topic', () => {
  it('pipes lists, at its own time where a record has none', async () => {
    const driver = echoing()
    const input = driver.createInputTopic('in', string, string, { startMs: 100, autoAdvanceMs: 10 })
    await input.pipeKeyValueList([
      ['a', '1'],
      ['b', null],
    ])
    await input.pipeValueList(['2'])
    input.advanceTime(1000)
    const headers = Headers.empty.with('h', null)
    await input.pipeRecordList([
      { key: 'c', value: '3' },
      { key: 'd', value: '4', timestamp: 7, headers },
    ])
    const records = driver.createOutputTopic('out', string, string).readRecordsToList()
    expect(records.map(({ key, value, timestamp, headers }) => [key, value, timestamp, headers.size])).toEqual([
      ['a', '1', 100, 0],
      ['b', null, 110, 0],
      [null, '2', 120, 0],
      ['c', '3', 1130, 0],
      ['d', '4', 7, 1],
    ])
  })
})

describe('an output topic', () => {
  it('gives one, all, or the last of each key', async () => {
    const driver = echoing()
    const input = driver.createInputTopic('in', string, string)
    const output = driver.createOutputTopic('out', string, string)
    for (const [key, value] of [
      ['a', '1'],
      ['b', '2'],
      ['a', '3'],
      ['b', '4'],
      ['a', '5'],
      ['b', '6'],
    ] as const) {
      await input.pipeInput(key, value, 1)
    }
    expect([output.queueSize, output.readKeyValue(), output.readValue(), output.queueSize]).toEqual([
      6,
      ['a', '1'],
      '2',
      4,
    ])
    expect([...output.readKeyValuesToMap()]).toEqual([
      ['a', '5'],
      ['b', '6'],
    ])
    await input.pipeInput('c', '7', 1)
    expect(output.readValuesToList()).toEqual(['7'])
    expect(output.queueSize).toBe(0)
  })

  it('knows equal keys of an object type for one', async () => {
    const builder = echo()
    builder
      .stream('in', Consumed.with(string, string))
      .groupByKey()
      .windowedBy(TimeWindows.ofSizeWithNoGrace(10))
      .count()
      .toStream()
      .to('out')
    const driver = new TopologyTestDriver(builder.build(), texts)
    const input = driver.createInputTopic('in', string, string)
    for (const at of [1, 2, 11]) await input.pipeInput('k', 'v', at)
    const counts = driver.createOutputTopic('out', windowed(string, 10), long).readKeyValuesToMap()
    expect([...counts].map(([key, count]) => [key?.window.start, count])).toEqual([
      [0, 2],
      [10, 1],
    ])
  })
})

describe('the driver', () => {
  it('tells which topics have been sent to, read or not', async () => {
    const driver = echoing()
    expect([...driver.producedTopicNames()]).toEqual([])
    await driver.createInputTopic('in', string, string).pipeInput('a', '1', 1)
    driver.createOutputTopic('out', string, string).readRecord()
    expect([...driver.producedTopicNames()]).toEqual(['out'])
  })

  it('[G3] counts as Kafka does what is dropped, whatever the reason', async () => {
    const builder = echo()
    builder.stream('in', Consumed.with(string, string)).groupByKey().count()
    builder.stream('clean', Consumed.with<string, string>(string, string, { nulls: 'drop' })).to('out')
    const driver = new TopologyTestDriver(builder.build(), texts)
    expect(driver.metrics().get('dropped-records-total')).toBe(0)
    await driver.createInputTopic('in', string, string).pipeRecordList([
      { key: null, value: 'v' },
      { key: 'k', value: null },
    ])
    await driver.createInputTopic('clean', string, string).pipeInput(null, 'v', 1)
    expect(driver.metrics().get('dropped-records-total')).toBe(2)
    expect(driver.metrics().get('dropped_records_total{reason="dropped_null"}')).toBe(1)
  })

  it('keeps what a failing step has sent for the next that does not fail', async () => {
    const topology = new Topology()
      .addSource('in', Consumed.with(string, string), 'in')
      .addProcessor(
        'work',
        {
          get: () => ({
            process: (record: Record<string, string>, ctx: Context) => {
              void ctx.forward(record)
              if (record.value === 'bad') throw new Error('no')
            },
          }),
        },
        'in',
      )
      .addSink('out', 'out', 'work')
    const driver = new TopologyTestDriver(topology, texts)
    const input = driver.createInputTopic('in', string, string)
    const output = driver.createOutputTopic('out', string, string)
    await expect(input.pipeInput('a', 'bad', 1)).rejects.toThrow('no')
    expect(output.isEmpty).toBe(true)
    await input.pipeInput('a', 'good', 2)
    expect(output.readValuesToList()).toEqual(['bad', 'good'])
  })

  it('[W4] takes what goes round through topics by its time, first come first served within one', async () => {
    const topology = new Topology()
      .addSource('in', Consumed.with(string, string), 'in')
      .addProcessor(
        'split',
        {
          get: () => ({
            process: (record: Record<string, string>, ctx: Context) => {
              void ctx.forward({ ...record, value: 'late 1', timestamp: 9 }, 'to-late')
              void ctx.forward({ ...record, value: 'late 2', timestamp: 1 }, 'to-late')
              void ctx.forward({ ...record, value: 'early', timestamp: 5 }, 'to-early')
            },
          }),
        },
        'in',
      )
      .addSink('to-late', 'late', 'split')
      .addSink('to-early', 'early', 'split')
      .addSource('back', Consumed.with(string, string), 'late', 'early')
      .addSink('out', 'out', 'back')
    const driver = new TopologyTestDriver(topology, texts)
    await driver.createInputTopic('in', string, string).pipeInput('k', 'v', 3)
    const out = driver.createOutputTopic('out', string, string)
    expect(out.readValuesToList()).toEqual(['early', 'late 1', 'late 2'])
  })

  it('[W4] serves topics of equal time in turn', () => {
    const outputs = new CapturedOutputs((topic) => topic !== 'out')
    const sent = (topic: string, partition: number, timestamp = 5) => {
      return { topic, partition, key: null, value: null, timestamp, headers: [] }
    }
    outputs.add([sent('a', 1), sent('b', 2), sent('out', 3), sent('a', 4), sent('b', 5), sent('c', 6, 4)])
    const taken: (number | undefined)[] = []
    while (outputs.earliestReturn !== undefined) taken.push(outputs.earliestReturn, outputs.takeReturn()?.partition)
    expect(taken).toEqual([4, 6, 5, 1, 5, 2, 5, 4, 5, 5])
    expect([outputs.takeReturn(), outputs.read('a').length, outputs.read('a').length]).toEqual([undefined, 2, 0])
  })
})

describe('a store of the driver', () => {
  const keyValue = Stores.keyValue<string, string>('kv', string, string)
  const window = Stores.window<string, string>('w', { retentionMs: 10, windowSizeMs: 10 }, string, string)
  const session = Stores.session<string, string>('s', { retentionMs: 10 }, string, string)
  const versioned = Stores.versionedKeyValue<string, string>('v', { historyRetentionMs: 10 }, string, string)

  function driverOfStores() {
    const topology = new Topology()
      .addSource('in', Consumed.with(string, string), 'in')
      .addProcessor(
        'work',
        {
          get: () => ({
            process: (record: Record<string, string>, ctx: Context) =>
              ctx.forward({ ...record, value: String(ctx.store(keyValue).get(record.key)) }),
          }),
        },
        'in',
      )
      .addSink('out', 'out', 'work')
    for (const store of [keyValue, window, session, versioned]) topology.addStateStore(store, 'work')
    return new TopologyTestDriver(topology, texts)
  }

  it('is filled before a step and read after it', async () => {
    const driver = driverOfStores()
    driver.getKeyValueStore<string, string>('kv').put('k', 'before')
    await driver.createInputTopic('in', string, string).pipeInput('k', 'v', 1)
    expect(driver.createOutputTopic('out', string, string).readValue()).toBe('before')
    driver.getWindowStore<string, string>('w').put('k', 'w', 0)
    driver.getSessionStore<string, string>('s').put({ key: 'k', window: { start: 0, end: 5 } }, 's')
    driver.getVersionedKeyValueStore<string, string>('v').put('k', 'v', 3)
    expect(driver.getWindowStore('w').fetch('k', 0)).toBe('w')
    expect(driver.getSessionStore('s').fetchSession('k', 0, 5)).toBe('s')
    expect(driver.getVersionedKeyValueStore('v').get('k')).toMatchObject({ value: 'v', timestamp: 3 })
    expect([...driver.getAllStateStores().keys()]).toEqual(['kv', 'w', 's', 'v'])
  })

  it('of the DSL has times', async () => {
    const builder = echo()
    const grouped = builder.stream('in', Consumed.with(string, string)).groupByKey()
    grouped.count(Materialized.as('c'))
    grouped.windowedBy(TimeWindows.ofSizeWithNoGrace(10)).count(Materialized.as('wc'))
    grouped.windowedBy(SessionWindows.ofInactivityGapWithNoGrace(10)).count(Materialized.as('sc'))
    const driver = new TopologyTestDriver(builder.build(), texts)
    await driver.createInputTopic('in', string, string).pipeInput('k', 'v', 3)
    expect(driver.getTimestampedKeyValueStore('c').get('k')).toEqual({ value: 1, timestamp: 3 })
    expect(driver.getTimestampedWindowStore('wc').fetch('k', 0)).toEqual({ value: 1, timestamp: 3 })
    expect(driver.getSessionStore('sc').fetchSession('k', 3, 3)).toBe(1)
    expect(() => driver.getWindowStore('c')).toThrow(/"c" is a timestamped key-value store, not a window store/)
  })

  it('of a table is shown by its values alone to whoever asks for a store without times', async () => {
    const builder = echo()
    builder.stream('in', Consumed.with(string, string)).groupByKey().count(Materialized.as('c'))
    const driver = new TopologyTestDriver(builder.build(), texts)
    await driver.createInputTopic('in', string, string).pipeInput('k', 'v', 3)
    const store = driver.getKeyValueStore<string, number>('c')
    expect(store.get('k')).toBe(1)
    store.put('l', 7)
    expect(driver.getTimestampedKeyValueStore('c').get('l')).toEqual({ value: 7, timestamp: -1 })
    expect(store.putIfAbsent('l', 8)).toBe(7)
    expect(store.putIfAbsent('m', 8)).toBeUndefined()
    store.putAll([['n', 9]])
    expect(store.compute('n', (old = 0) => old + 1)).toBe(10)
    expect(store.merge('n', 5, (old, value) => old - value)).toBe(5)
    expect(store.delete('m')).toBe(8)
    expect(await store.all().toArray()).toEqual([
      ['k', 1],
      ['l', 7],
      ['n', 5],
    ])
    expect(await store.reverseAll().toArray()).toHaveLength(3)
    expect(await store.range('l', 'l').toArray()).toEqual([['l', 7]])
    expect(await store.reverseRange('l').toArray()).toEqual([
      ['n', 5],
      ['l', 7],
    ])
    expect(await store.prefixScan('k').toArray()).toEqual([['k', 1]])
    expect(store.count()).toBe(3)
    const seen: unknown[] = []
    for await (const entry of store.all()) seen.push(entry)
    expect(seen).toEqual(await store.all().toArray())
    expect(() => store.put('k', null as never)).toThrow(expect.objectContaining({ code: 'STORE_INVALID' }))
    expect(store.compute('k', () => undefined)).toBeUndefined()
    expect(store.get('k')).toBeUndefined()
    await driver.createInputTopic('in', string, string).pipeInput('l', 'v', 4)
    expect(store.get('l')).toBe(8)
  })

  it('of windows and of sessions with headers is shown by its values alone, too', async () => {
    const builder = echo()
    const grouped = builder.stream('in', Consumed.with(string, string)).groupByKey()
    grouped.windowedBy(TimeWindows.ofSizeWithNoGrace(10)).count(Materialized.as('w'))
    grouped.windowedBy(SessionWindows.ofInactivityGapWithNoGrace(10)).count(Materialized.as('s'))
    const driver = new TopologyTestDriver(builder.build(), { ...texts, 'dsl.store.format': 'headers' })
    await driver.createInputTopic('in', string, string).pipeInput('k', 'v', 3)
    const windows = driver.getWindowStore<string, number>('w')
    windows.put('l', 2, 5)
    expect([windows.fetch('k', 0), windows.fetch('l', 5), windows.fetch('l', 0)]).toEqual([1, 2, undefined])
    expect(await windows.fetchRange('k', 0, 10).toArray()).toEqual([[0, 1]])
    expect((await windows.all().toArray()).map(([{ key }, value]) => [key, value])).toEqual([
      ['k', 1],
      ['l', 2],
    ])
    expect((await windows.backwardFetchKeys('k', 'l', 5, 5).toArray()).map(([, value]) => value)).toEqual([2])
    expect(windows.compute('k', 0, (old) => (old ?? 0) + 1)).toBe(2)
    windows.put('k', undefined, 0)
    expect(windows.fetch('k', 0)).toBeUndefined()
    const sessions = driver.getSessionStore<string, number>('s')
    expect(sessions.fetchSession('k', 3, 3)).toBe(1)
    const session = { key: 'l', window: { start: 4, end: 5 } }
    sessions.put(session, 6)
    expect((await sessions.fetch('l').toArray()).map(([, value]) => value)).toEqual([6])
    sessions.remove(session)
    expect(sessions.fetchSession('l', 4, 5)).toBeUndefined()
  })

  it.each(['kv', 'w', 's', 'v'])('%s is refused to whoever takes it for another, and an unknown one to all', (name) => {
    const driver = driverOfStores()
    const getters = [
      (of: string) => driver.getKeyValueStore(of),
      (of: string) => driver.getTimestampedKeyValueStore(of),
      (of: string) => driver.getWindowStore(of),
      (of: string) => driver.getTimestampedWindowStore(of),
      (of: string) => driver.getSessionStore(of),
      (of: string) => driver.getVersionedKeyValueStore(of),
    ]
    const refuses = (get: (of: string) => unknown, of: string) => {
      try {
        get(of)
        return false
      } catch {
        return true
      }
    }
    expect(getters.filter((get) => !refuses(get, name))).toHaveLength(1)
    for (const get of getters) expect(() => get('none')).toThrow(expect.objectContaining({ code: 'STORE_INVALID' }))
  })
})
