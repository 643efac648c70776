import { describe, expect, it } from 'vitest'
import {
  byteArray,
  type CallbackContext,
  Consumed,
  Headers,
  Materialized,
  type Record,
  type StoreBuilder,
  Stores,
  StreamsBuilder,
  string,
  TimeWindows,
  Topology,
  toHex,
} from '../index.js'
import { bareValue } from './bareValue.js'
import { TopologyTestDriver } from './index.js'

type Context = CallbackContext<any, any, any>
type Row = [key: string | undefined, value: string | undefined, timestamp: number, headers: number]

const kafka = {
  'application.id': 'app',
  compat: 'kafka-streams',
  'default.key.serde': 'string',
  'default.value.serde': 'string',
}
const hex = (bytes: unknown) => (bytes === null ? undefined : toHex(bytes as Uint8Array))

function rowsOf(driver: TopologyTestDriver, topic: string): Row[] {
  const records = driver.createOutputTopic(topic, byteArray, byteArray).readRecordsToList()
  return records.map(({ key, value, timestamp, headers }) => [hex(key), hex(value), timestamp, headers.size])
}

/** Runs a process over a store, and tells what its changelog holds. */
async function logged(
  store: StoreBuilder<any, any>,
  process: (record: Record<string, string>, store: any, ctx: Context) => unknown,
  config: object = {},
): Promise<Row[]> {
  const topology = new Topology()
    .addSource('in', Consumed.with(string, string), 'in')
    .addProcessor(
      'work',
      {
        get: () => ({
          process: (record: Record<any, any>, ctx: Context) => void process(record, ctx.store(store), ctx),
        }),
      },
      'in',
    )
    .addStateStore(store, 'work')
  const driver = new TopologyTestDriver(topology, { ...kafka, ...config })
  const input = driver.createInputTopic('in', string, string)
  await input.pipeInput('k', 'a', 5)
  await input.pipeInput('k', 'b', 3)
  return rowsOf(driver, 'app-s-changelog')
}

describe('the changelog of a key-value store', () => {
  it('[D1] has each put and deletion, with the time of its record', async () => {
    const rows = await logged(Stores.keyValue('s', string, string), (record, store) => {
      store.put(record.key, record.value)
      store.delete('x')
    })
    expect(rows).toEqual([
      ['6b', '61', 5, 0],
      ['78', undefined, 5, 0],
      ['6b', '62', 3, 0],
      ['78', undefined, 3, 0],
    ])
  })

  it('[D1] has the bare value with the time and headers that are stored with it', async () => {
    const timed = await logged(Stores.timestampedKeyValue('s', string, string), ({ key, value }, store) =>
      store.put(key, { value, timestamp: 77 }),
    )
    expect(timed).toEqual([
      ['6b', '61', 77, 0],
      ['6b', '62', 77, 0],
    ])
    const headers = Headers.empty.with('h', new Uint8Array([1]))
    const withHeaders = await logged(Stores.keyValueWithHeaders('s', string, string), ({ key, value }, store) =>
      store.put(key, { value, timestamp: 78, headers }),
    )
    expect(withHeaders).toEqual([
      ['6b', '61', 78, 1],
      ['6b', '62', 78, 1],
    ])
  })

  it('[D1] is not there for a store without, or where nothing is emulated', async () => {
    const put = (record: Record<string, string>, store: any) => store.put(record.key, record.value)
    expect(await logged(Stores.keyValue('s', string, string).withLoggingDisabled(), put)).toEqual([])
    expect(await logged(Stores.keyValue('s', string, string), put, { compat: 'repair' })).toEqual([])
  })
})

it('[D1] the changelog of a table is its source topic where that is reused', async () => {
  const logsOf = async (config: { readonly [key: string]: unknown }) => {
    const builder = new StreamsBuilder(config)
    builder.table('in', Consumed.with(string, string), Materialized.as('s')).toStream().to('out')
    const driver = new TopologyTestDriver((builder as any).build(config), { ...kafka, ...config })
    await driver.createInputTopic('in', string, string).pipeInput('k', 'a', 5)
    return rowsOf(driver, 'app-s-changelog').length
  }
  expect([await logsOf({}), await logsOf({ 'topology.optimization': 'all' })]).toEqual([1, 0])
})

describe('the time of what is written', () => {
  it('[D1] is that of the record in hand, also when its children have had times of their own', async () => {
    const store = Stores.keyValue<string, string>('s', string, string)
    const writes = (name: string) => (record: Record<string, string>, ctx: Context) => {
      void ctx.forward({ ...record, timestamp: record.timestamp + 100 })
      ctx.store(store).put(name, record.value)
    }
    const topology = new Topology()
      .addSource('in', Consumed.with(string, string), 'in')
      .addProcessor('a', { get: () => ({ process: writes('a') }) }, 'in')
      .addProcessor('b', { get: () => ({ process: writes('b') }) }, 'a')
      .addStateStore(store, 'a', 'b')
    const driver = new TopologyTestDriver(topology, kafka)
    await driver.createInputTopic('in', string, string).pipeInput('k', 'v', 5)
    expect(rowsOf(driver, 'app-s-changelog').map(([key, , timestamp]) => [key, timestamp])).toEqual([
      ['62', 105],
      ['61', 5],
    ])
  })

  it('[D1] is that of a punctuator in which it is written, and of a failing callback no longer behind it', async () => {
    const store = Stores.keyValue<string, string>('s', string, string)
    const topology = new Topology()
      .addSource('in', Consumed.with(string, string), 'in')
      .addProcessor(
        'a',
        {
          get: () => ({
            init: (context) => {
              context.schedule(10, 'stream-time', (at, ctx) => ctx.store(store).put('p', String(at)))
            },
            process: (record: Record<string, string>) => {
              if (record.value === 'bad') throw new Error('no')
            },
          }),
        },
        'in',
      )
      .addStateStore(store, 'a')
    const driver = new TopologyTestDriver(topology, { ...kafka, 'processing.exception.handler': 'continue' })
    const input = driver.createInputTopic('in', string, string)
    for (const [value, at] of [
      ['v', 3],
      ['bad', 9],
      ['v', 47],
    ] as const)
      await input.pipeInput('k', value, at)
    expect(rowsOf(driver, 'app-s-changelog').map(([, value, timestamp]) => [value, timestamp])).toEqual([
      ['33', 3],
      ['3437', 47],
    ])
  })
})

describe('the changelog of a windowed store', () => {
  it('[D1] has key, start and number, and not what expires', async () => {
    const builder = new StreamsBuilder()
    builder
      .stream('in', Consumed.with(string, string))
      .groupByKey()
      .windowedBy(TimeWindows.ofSizeWithNoGrace(10))
      .count(Materialized.as('w'))
    const driver = new TopologyTestDriver(builder.build(), kafka)
    const input = driver.createInputTopic('in', string, string)
    await input.pipeInput('k', 'a', 12)
    await input.pipeInput('k', 'a', 10_000_000)
    expect(rowsOf(driver, 'app-w-changelog')).toEqual([
      ['6b000000000000000a00000000', '0000000000000001', 12, 0],
      ['6b000000000098968000000000', '0000000000000001', 10_000_000, 0],
    ])
  })
})

describe('the changelog of a versioned store', () => {
  it('[D1] has each version under its own time, refused ones too, as in Kafka Streams', async () => {
    const store = Stores.versionedKeyValue('s', { historyRetentionMs: 10 }, string, string)
    const seen: unknown[] = []
    const rows = await logged(store, (record, versions) => {
      seen.push(versions.put(record.key, record.value, 100 + record.timestamp))
      seen.push(versions.put(record.key, record.value, 7))
      seen.push(versions.delete(record.key, 102)?.value)
      seen.push(versions.get(record.key)?.value)
    })
    expect(rows.map(([, value, timestamp]) => [value, timestamp])).toEqual([
      ['61', 105],
      ['61', 7],
      [undefined, 102],
      ['62', 103],
      ['62', 7],
      [undefined, 102],
    ])
    expect(seen).toHaveLength(8)
    expect([seen[0], seen[3], seen[7]]).toEqual([-1, 'a', 'a'])
  })

  it('[D1] is not there where nothing is emulated', async () => {
    const store = Stores.versionedKeyValue('s', { historyRetentionMs: 10 }, string, string)
    const put = (record: Record<string, string>, versions: any) => versions.put(record.key, record.value, 1)
    expect(await logged(store, put, { compat: 'repair' })).toEqual([])
  })
})

it('a bare value is cut out by the form that its serde has', () => {
  const bytes = new Uint8Array([0, 0, 0, 0, 0, 0, 0, 9, 65])
  expect(bareValue('string', bytes)).toEqual({ bytes })
  expect(bareValue('valueAndTimestamp(string)', bytes)).toEqual({ bytes: bytes.subarray(8), timestamp: 9 })
  const session = bareValue('valueHeaders(string)', new Uint8Array([0, 65]))
  expect([session.bytes, session.timestamp, session.headers?.size]).toEqual([new Uint8Array([65]), undefined, 0])
})
