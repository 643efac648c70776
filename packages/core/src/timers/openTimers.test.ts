import { describe, expect, it } from 'vitest'
import { StreamError } from '../errors/StreamError.js'
import { laneOf } from '../lanes/murmur3.js'
import { toHex } from '../model/bytes.js'
import { Headers } from '../model/Headers.js'
import { json } from '../serde/json.js'
import { long } from '../serde/long.js'
import type { Serde } from '../serde/Serde.js'
import { string } from '../serde/string.js'
import { EpochByteStore } from '../state/epoch/EpochByteStore.js'
import { MemoryByteStore } from '../state/MemoryByteStore.js'
import type { OrderedByteStore } from '../state/OrderedByteStore.js'
import { type OpenedTimers, type OpenTimersOptions, openTimers } from './openTimers.js'

const jsonText = json<string>()
const write = (serde: Serde<any>, key: unknown) => serde.serialize('', Headers.empty, key)

function open(store: OrderedByteStore, serde: Serde<any>, options: Partial<OpenTimersOptions> = {}): OpenedTimers {
  const lanes = options.lanes ?? 4
  return openTimers(store, {
    node: 'sessionize',
    key: { serde },
    lanes,
    laneOf: (bytes) => laneOf(bytes, lanes),
    onSerdeChange: 'refuse',
    ...options,
  })
}

function register(
  { timers }: OpenedTimers,
  serde: Serde<any>,
  key: unknown,
  at: number,
  name?: string,
  lanes = 4,
): void {
  const keyBytes = write(serde, key)
  timers.lane('event-time', laneOf(keyBytes, lanes)).register(keyBytes, at, name, 0)
  timers.flush()
}

/** What is pending, as keys in hex, by lane. */
function pending({ timers }: OpenedTimers, lanes = 4): string[] {
  return Array.from({ length: lanes }, (_, lane) =>
    timers
      .lane('event-time', lane)
      .earliest(1_000)
      .map(({ at, keyBytes, name }) => `${lane}/${at}:${toHex(keyBytes)}${name === undefined ? '' : `#${name}`}`),
  ).flat()
}

function filled(): MemoryByteStore {
  const store = new MemoryByteStore()
  const opened = open(store, string)
  register(opened, string, 'a', 10)
  register(opened, string, 'b', 20, 'end')
  register(opened, string, 'c', 30)
  return store
}

const refusal = (act: () => unknown): StreamError => {
  try {
    act()
  } catch (error) {
    expect(error).toBeInstanceOf(StreamError)
    return error as StreamError
  }
  throw new Error('It was not refused.')
}

const dump = (store: OrderedByteStore) => Array.from(store.range(), ([key, value]) => `${toHex(key)}=${toHex(value)}`)

describe('opening', () => {
  it('[T9] takes the same serde without a word, again and again', () => {
    const store = filled()
    for (let i = 0; i < 3; i++) {
      const opened = open(store, string)
      expect(opened).toMatchObject({ migrated: 0, stranded: 0 })
      expect(opened.previous).toBeUndefined()
      expect(pending(opened)).toHaveLength(3)
    }
  })

  it('[T9] refuses another serde by default, names both and the ways out, and writes nothing', () => {
    const store = filled()
    const before = dump(store)
    const error = refusal(() => open(store, jsonText))
    expect(error).toMatchObject({
      code: 'TIMER_SERDE_CHANGED',
      kind: 'user',
      retriable: false,
      context: { node: 'sessionize' },
    })
    expect(error.message).toContain('changed from "string" to "json"')
    expect(error.message).toContain('3 timers are pending')
    expect(error.message).toContain('Declare "string" again')
    expect(error.message).toContain('"migrate"')
    expect(error.message).toContain('"strand"')
    expect(dump(store)).toEqual(before)
  })

  it('[T9] refuses another version of the same serde', () => {
    const error = refusal(() => open(filled(), string, { key: { serde: string, version: 2 } }))
    expect(error.message).toContain('changed from "string" to "string" version 2')
  })

  it('[T9] takes another serde over when nothing is pending, and holds to that one then', () => {
    const store = new MemoryByteStore()
    const first = open(store, string)
    register(first, string, 'a', 10)
    first.timers.lane('event-time', laneOf(write(string, 'a'), 4)).delete(write(string, 'a'), 10, undefined)
    first.timers.flush()
    expect(open(store, jsonText).previous).toEqual({ id: 'string', version: 1 })
    register(open(store, jsonText), jsonText, 'a', 10)
    expect(refusal(() => open(store, string)).message).toContain('from "json" to "string". One timer is pending')
  })

  it('[T5] tells what it finds from what this run registers', () => {
    const store = new MemoryByteStore()
    const sequences = (opened: OpenedTimers) =>
      Array.from({ length: 4 }, (_, lane) => opened.timers.lane('event-time', lane).earliest(9))
        .flat()
        .map((timer) => timer.sequence)
    const first = open(store, string)
    register(first, string, 'a', 10)
    expect(sequences(first)).toEqual([0])
    const second = open(store, string)
    expect(sequences(second)).toEqual([-1])
    register(second, string, 'a', 11)
    expect(sequences(second).sort()).toEqual([-1, 0])
    expect(sequences(open(store, string))).toEqual([-1, -1])
  })

  it('refuses a store of another version, or of something else', () => {
    for (const foreign of [Uint8Array.of(2, 0), Uint8Array.of(0, 9), Uint8Array.of()]) {
      const store = filled()
      store.put(foreign, Uint8Array.of(1))
      expect(refusal(() => open(store, string))).toMatchObject({ code: 'STORE_INVALID', kind: 'operational' })
    }
  })
})

describe('strand', () => {
  it('[T9] leaves the timers lying, unfired and counted, also at later starts', () => {
    const store = filled()
    const opened = open(store, jsonText, { onSerdeChange: 'strand' })
    expect(opened).toMatchObject({ stranded: 3, migrated: 0, previous: { id: 'string', version: 1 } })
    expect(pending(opened)).toEqual([])
    expect(opened.timers.size).toBe(0)
    register(opened, jsonText, 'b', 5, 'end')
    const again = open(store, jsonText)
    expect(again).toMatchObject({ stranded: 3, migrated: 0 })
    expect(pending(again)).toHaveLength(1)
  })

  it('[T9] leaves nothing that a serde of the same bytes would find', () => {
    const store = filled()
    const renamed: Serde<string> = { ...string, id: 'renamed' }
    const { timers } = open(store, renamed, { onSerdeChange: 'strand' })
    const keyBytes = write(renamed, 'b')
    const lane = timers.lane('event-time', laneOf(keyBytes, 4))
    expect(lane.size).toBe(0)
    expect(lane.register(keyBytes, 20, 'end', 0)).toEqual({ outcome: 'added' })
  })

  it('[T9] brings them back although the old serde cannot read what is pending by now', () => {
    const store = new MemoryByteStore()
    register(open(store, long), long, 7, 10)
    const numbers = json<number>()
    register(open(store, numbers, { onSerdeChange: 'strand' }), numbers, 8, 20)
    expect(open(store, numbers, { onSerdeChange: 'migrate', oldKey: { serde: long } })).toMatchObject({
      migrated: 1,
      stranded: 0,
    })
  })

  it('[T9] does not bring them back by itself when their serde returns', () => {
    const store = filled()
    open(store, jsonText, { onSerdeChange: 'strand' })
    const back = open(store, string)
    expect([pending(back), back.stranded]).toEqual([[], 3])
  })

  it('[T9] brings them back when asked to migrate from their serde, later', () => {
    const store = filled()
    register(open(store, jsonText, { onSerdeChange: 'strand' }), jsonText, 'b', 5, 'end')
    const opened = open(store, jsonText, { onSerdeChange: 'migrate', oldKey: { serde: string } })
    // The timer "end" of b is pending by now, and the newer one counts.
    expect(opened).toMatchObject({ migrated: 2, stranded: 1 })
    expect(
      pending(opened)
        .map((line) => line.slice(2))
        .sort(),
    ).toEqual(
      [
        `10:${toHex(write(jsonText, 'a'))}`,
        `30:${toHex(write(jsonText, 'c'))}`,
        `5:${toHex(write(jsonText, 'b'))}#end`,
      ].sort(),
    )
  })
})

describe('migrate', () => {
  it('[T9] re-encodes every key, on the lane of its new bytes, with names found again', () => {
    const store = filled()
    const opened = open(store, jsonText, { onSerdeChange: 'migrate', oldKey: { serde: string } })
    expect(opened).toMatchObject({ migrated: 3, stranded: 0, previous: { id: 'string', version: 1 } })
    const lane = (key: string) => laneOf(write(jsonText, key), 4)
    expect(pending(opened)).toEqual(
      [
        ['a', 10, ''],
        ['b', 20, '#end'],
        ['c', 30, ''],
      ]
        .map(([key, at, name]) => `${lane(key as string)}/${at}:${toHex(write(jsonText, key))}${name}`)
        .sort(),
    )
    const b = write(jsonText, 'b')
    expect(opened.timers.lane('event-time', laneOf(b, 4)).delete(b, 0, 'end')?.at).toBe(20)
    opened.timers.flush()
    expect(open(store, jsonText).timers.lane('event-time', laneOf(b, 4)).size).toBe(
      pending(opened).filter((line) => line.startsWith(`${laneOf(b, 4)}/`)).length,
    )
  })

  it('[T9] knows the built-in serdes by their id', () => {
    expect(open(filled(), jsonText, { onSerdeChange: 'migrate' })).toMatchObject({ migrated: 3 })
  })

  it('[T9] knows them in their first version only', () => {
    const store = new MemoryByteStore()
    register(open(store, string, { key: { serde: string, version: 2 } }), string, 'a', 10)
    const error = refusal(() => open(store, jsonText, { onSerdeChange: 'migrate' }))
    expect(error.message).toContain('no old serde was given. Give "string" version 2.')
  })

  it('[T9] needs no old serde when nothing is pending', () => {
    const store = new MemoryByteStore()
    open(store, { ...string, id: 'own' })
    expect(open(store, string, { onSerdeChange: 'migrate' })).toMatchObject({ migrated: 0, previous: { id: 'own' } })
  })

  it('[T9] refuses when the old serde is not known, or is not the one', () => {
    const own: Serde<string> = { ...string, id: 'own' }
    const store = new MemoryByteStore()
    register(open(store, own), own, 'a', 10)
    const unknown = refusal(() => open(store, string, { onSerdeChange: 'migrate' }))
    expect(unknown).toMatchObject({ code: 'TIMER_SERDE_CHANGED' })
    expect(unknown.message).toContain('no old serde was given. Give "own"')
    const wrong = refusal(() => open(store, string, { onSerdeChange: 'migrate', oldKey: { serde: own, version: 2 } }))
    expect(wrong.message).toContain('the old serde given is "own" version 2. Give "own".')
    expect(open(store, string, { onSerdeChange: 'migrate', oldKey: { serde: own } }).migrated).toBe(1)
  })

  it.each<[string, Serde<any>]>([
    ['cannot read a key', { ...jsonText, id: 'string' }],
    ['reads keys that it would not write so', { ...string, id: 'string', deserialize: () => 'same' }],
  ])('[T9] refuses all, and changes nothing, when the old serde %s', (_, wrong) => {
    const store = filled()
    const before = dump(store)
    const error = refusal(() => open(store, jsonText, { onSerdeChange: 'migrate', oldKey: { serde: wrong } }))
    expect(error).toMatchObject({ code: 'TIMER_SERDE_CHANGED', kind: 'user' })
    expect(error.message).toContain('key bytes 61')
    expect(error.message).toContain('No timer was changed.')
    expect(dump(store)).toEqual(before)
  })

  it('[T9] refuses a new serde that cannot tell two keys apart', () => {
    const lossy: Serde<string> = {
      ...string,
      id: 'lossy',
      serialize: (topic, headers, value) => string.serialize(topic, headers, value.slice(1)),
    }
    expect(refusal(() => open(filled(), lossy, { onSerdeChange: 'migrate' })).message).toContain('other bytes')
  })

  it('[T8] [E2] is undone with the epoch that it was done in', () => {
    const base = filled()
    const before = dump(base)
    const store = new EpochByteStore('timers', base, () => 1)
    open(store, jsonText, { onSerdeChange: 'migrate' })
    store.abort()
    expect(dump(base)).toEqual(before)
    expect(pending(open(store, string))).toHaveLength(3)
  })
})

describe('another number of lanes', () => {
  it.each([1, 3, 16])('[L5] moves every timer to its lane of %i, with names and numbers', (lanes) => {
    const store = new MemoryByteStore()
    const first = open(store, string)
    const keys = Array.from({ length: 50 }, (_, at) => `key-${at}`)
    for (const [at, key] of keys.entries()) register(first, string, key, at, at % 2 === 0 ? 'n' : undefined)
    const opened = open(store, string, { lanes })
    for (let lane = 0; lane < lanes; lane++) {
      const expected = keys.filter((key) => laneOf(write(string, key), lanes) === lane)
      const stored = opened.timers.lane('event-time', lane)
      expect(stored.earliest(1_000).map(({ keyBytes }) => string.deserialize('', Headers.empty, keyBytes))).toEqual(
        expected,
      )
      expect(stored.size).toBe(expected.length)
    }
    const keyBytes = write(string, 'key-4')
    expect(opened.timers.lane('event-time', laneOf(keyBytes, lanes)).delete(keyBytes, 0, 'n')?.at).toBe(4)
  })

  it('[L5] leaves no number behind in a lane that is empty now', () => {
    const lanesOf = (name: string) => [4, 16].map((lanes) => laneOf(write(string, name), lanes))
    const name =
      Array.from({ length: 50 }, (_, at) => `key-${at}`).find((text) => new Set(lanesOf(text)).size === 2) ?? ''
    const [before = 0, after = 0] = lanesOf(name)
    const store = new MemoryByteStore()
    register(open(store, string), string, name, 1)
    const { timers } = open(store, string, { lanes: 16 })
    expect([timers.lane('event-time', before).size, timers.lane('event-time', after).size]).toEqual([0, 1])
  })

  it('[T9] [L5] comes with another serde in one step', () => {
    const opened = open(filled(), jsonText, { onSerdeChange: 'migrate', lanes: 7 })
    expect(opened.migrated).toBe(3)
    for (const line of pending(opened, 7)) {
      const [lane = '', rest = ''] = line.split('/')
      const hex = /:([0-9a-f]+)/.exec(rest)?.[1] ?? ''
      expect(Number(lane)).toBe(
        laneOf(
          Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16)),
          7,
        ),
      )
    }
  })
})
