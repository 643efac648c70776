import { describe, expect, it } from 'vitest'
import { ManualClock } from '../../time/ManualClock.js'
import { SeededRandom } from '../../time/Random.js'
import type { InternalTopicSettings, LogRecord, OutputRecord } from '../RecordLog.js'
import { EmbeddedLog } from './EmbeddedLog.js'
import { MemoryLogStorage } from './MemoryLogStorage.js'

const SEGMENT = 2000
const DAY = 24 * 60 * 60 * 1000
const compacted: InternalTopicSettings = { needed: { 'cleanup.policy': 'compact,delete' }, initial: {} }
const deleted: InternalTopicSettings = { needed: { 'cleanup.policy': 'delete' }, initial: {} }
const text = (value: string) => new TextEncoder().encode(value)
const shown = (bytes: Uint8Array | null) => (bytes === null ? null : new TextDecoder().decode(bytes))

const record = (
  topic: string,
  key: string | null,
  value: string | null,
  timestamp = 1,
  partition = 0,
): OutputRecord => ({
  topic,
  partition,
  key: key === null ? null : text(key),
  value: value === null ? null : text(value),
  timestamp,
  headers: key === 'h' ? [{ key: 'part', value: null }] : [],
})

const open = (storage: MemoryLogStorage, clock = new ManualClock()) =>
  EmbeddedLog.open({
    storage,
    clock,
    segmentBytes: SEGMENT,
    onThinningFailed: (error) => {
      throw error
    },
  })

async function all(log: EmbeddedLog, topic: string, partition = 0): Promise<readonly LogRecord[]> {
  return (await log.read(topic, partition, 0, 1_000_000)).records
}

async function rows(log: EmbeddedLog, topic: string, partition = 0) {
  return (await all(log, topic, partition)).map(({ offset, key, value }) => [offset, shown(key), shown(value)])
}

async function bytesOf(storage: MemoryLogStorage): Promise<number> {
  let bytes = 0
  for (const file of await storage.list()) bytes += await storage.size(file)
  return bytes
}

/** Until what runs behind the writes has run; a manual clock yields at once. */
async function rest(): Promise<void> {
  for (let i = 0; i < 10; i++) await new Promise((resolve) => setImmediate(resolve))
}

/** Writes of ten keys, over and over. */
async function busy(log: EmbeddedLog, topic: string, times: number, more: (i: number) => OutputRecord[] = () => []) {
  for (let i = 0; i < times; i++) {
    await log.append([record(topic, `k${i % 10}`, `value ${i}`, i), ...more(i)])
    await rest()
  }
}

describe('[E12] the embedded log', () => {
  it('keeps of a topic of the engine’s own the last record of each key, at its offset, over a restart', async () => {
    const storage = new MemoryLogStorage()
    const log = await open(storage)
    await log.internal.ensure('s', 1, compacted)
    await busy(log, 's', 1000)
    const before = await rows(log, 's')
    expect(before.slice(-10)).toEqual(Array.from({ length: 10 }, (_, i) => [990 + i, `k${i}`, `value ${990 + i}`]))
    expect(await bytesOf(storage)).toBeLessThan(6 * SEGMENT)
    expect(before.length).toBeLessThan(300)
    await log.close()
    const again = await open(storage)
    expect(await rows(again, 's')).toEqual(before)
    expect(await again.internal.bounds('s')).toEqual([{ start: 0, end: 1000 }])
    expect((await again.internal.last('s'))?.offset).toBe(999)
  })

  it('does not grow however long it is written', async () => {
    const storage = new MemoryLogStorage()
    const log = await open(storage)
    await log.internal.ensure('s', 1, compacted)
    await busy(log, 's', 300)
    const files = (await storage.list()).length
    await busy(log, 's', 1500)
    expect((await storage.list()).length).toBeLessThanOrEqual(files + 2)
  })

  it('keeps every record of all other topics, wherever they lie between', async () => {
    const storage = new MemoryLogStorage()
    const log = await open(storage)
    await log.internal.ensure('s', 1, compacted)
    await log.createTopic('out', 1)
    await busy(log, 's', 400, (i) => [record('out', 'same', `out ${i}`)])
    const expected = Array.from({ length: 400 }, (_, i) => [i, 'same', `out ${i}`])
    expect(await rows(log, 'out')).toEqual(expected)
    await log.close()
    const again = await open(storage)
    expect(await rows(again, 'out')).toEqual(expected)
    await again.append([record('out', 'k', 'next')])
    expect((await rows(again, 'out')).at(-1)).toEqual([400, 'k', 'next'])
  })

  it('keeps the headers, the time and the null value of what it keeps', async () => {
    const storage = new MemoryLogStorage()
    const log = await open(storage)
    await log.internal.ensure('s', 1, compacted)
    await log.append([
      record('s', 'h', 'with header', 77),
      record('s', 'gone', null, 78),
      record('s', null, 'no key', 79),
    ])
    await busy(log, 's', 200)
    const kept = (await all(log, 's')).slice(0, 3)
    expect(kept).toMatchObject([
      { offset: 0, timestamp: 77, headers: [{ key: 'part', value: null }] },
      { offset: 1, timestamp: 78, value: null },
      { offset: 2, timestamp: 79, key: null },
    ])
  })

  it('lets a deletion go once no state can be older than it', async () => {
    const clock = new ManualClock(10 * DAY)
    const log = await open(new MemoryLogStorage(), clock)
    await log.internal.ensure('s', 1, compacted)
    await log.append([
      record('s', 'old', null, 3 * DAY - 1),
      record('s', 'young', null, 3 * DAY),
      record('s', 'there', 'value', 1),
    ])
    await busy(log, 's', 200)
    expect((await rows(log, 's')).slice(0, 2).map(([offset]) => offset)).toEqual([1, 2])
  })

  it('[E11] tells how long a deletion stays, of topics that are compacted', async () => {
    const log = await open(new MemoryLogStorage())
    await log.internal.ensure('s', 1, compacted)
    await log.internal.ensure('d', 1, deleted)
    await log.createTopic('out', 1)
    expect([...(await log.traits(['s', 'd', 'out', 'nowhere']))]).toEqual([['s', { deleteRetentionMs: 7 * DAY }]])
  })

  it('keeps the last record of a partition, so that offsets go on behind it', async () => {
    const storage = new MemoryLogStorage()
    const log = await open(storage, new ManualClock(10 * DAY))
    await log.internal.ensure('s', 2, compacted)
    await log.append([record('s', 'x', 'value', 1, 1), record('s', 'x', null, 1, 1)])
    await busy(log, 's', 200)
    await log.close()
    const again = await open(storage)
    expect(await rows(again, 's', 1)).toEqual([[1, 'x', null]])
    expect((await again.append([record('s', 'y', 'z', 1, 1)]))[0]?.offset).toBe(2)
  })

  it('reads on behind what is not there any more', async () => {
    const log = await open(new MemoryLogStorage())
    await log.internal.ensure('s', 1, compacted)
    await log.append([record('s', 'first', 'a')])
    await busy(log, 's', 300)
    const seen: number[] = []
    for (let next = 0; next < 301; ) {
      const batch = await log.read('s', 0, next, 7)
      seen.push(...batch.records.map(({ offset }) => offset))
      expect(batch.nextOffset).toBeGreaterThan(next)
      next = batch.nextOffset
    }
    expect(seen).toEqual((await rows(log, 's')).map(([offset]) => offset))
    expect(seen.slice(0, 2)).toEqual([0, expect.any(Number)])
    expect(seen[1]).toBeGreaterThan(1)
    const replayed: number[] = []
    await log.internal.replay('s', [{ partition: 0, from: 1, to: 299 }], async (_, records, next) => {
      replayed.push(...records.map(({ offset }) => offset))
      expect(next).toBeLessThanOrEqual(299)
    })
    expect(replayed).toEqual(seen.filter((offset) => offset >= 1 && offset < 299))
  })

  it('takes nothing out before what makes it superfluous is on disk', async () => {
    const unsynced = new Set<string>()
    let replaced = 0
    class Watched extends MemoryLogStorage {
      override async append(file: string, bytes: Uint8Array): Promise<void> {
        await super.append(file, bytes)
        unsynced.add(file)
      }
      override async sync(file?: string): Promise<void> {
        unsynced.delete(file as string)
      }
      override async replace(file: string, bytes: Uint8Array): Promise<void> {
        expect([...unsynced]).toEqual([])
        replaced++
        await super.replace(file, bytes)
      }
    }
    const log = await open(new Watched())
    await log.internal.ensure('s', 1, compacted)
    await busy(log, 's', 200)
    expect(replaced).toBeGreaterThan(1)
  })

  it('shows a reader the same records while they are moved', async () => {
    const log = await open(new MemoryLogStorage())
    await log.internal.ensure('s', 1, compacted)
    await log.createTopic('out', 1)
    let done = false
    const writing = busy(log, 's', 150, (i) => [record('out', 'same', `out ${i}`)]).finally(() => {
      done = true
    })
    let reads = 0
    while (!done) {
      const seen = await rows(log, 'out')
      expect(seen).toEqual(seen.map((_, i) => [i, 'same', `out ${i}`]))
      reads++
      await new Promise((resolve) => setImmediate(resolve))
    }
    await writing
    expect(reads).toBeGreaterThan(100)
  })

  it('keeps the last positions of each application, with what is done above them', async () => {
    const storage = new MemoryLogStorage()
    const log = await open(storage)
    await log.createTopic('in', 2)
    const quiet = await log.open('quiet', ['in'], 'earliest')
    await quiet.commit({ epoch: 1, outputs: [], positions: [{ topic: 'in', partition: 1, offset: 3, done: [5, 7] }] })
    const session = await log.open('busy', ['in'], 'earliest')
    for (let i = 1; i <= 500; i++) {
      await session.commit({
        epoch: i,
        outputs: [],
        positions: [{ topic: 'in', partition: i % 2, offset: i, done: [] }],
      })
      await rest()
    }
    // A closed file holds no more than a position or two.
    const closed = await Promise.all((await storage.list()).map((file) => storage.size(file)))
    expect(closed.toSorted((a, b) => a - b)[0]).toBeLessThan(200)
    expect(await bytesOf(storage)).toBeLessThan(5 * SEGMENT)
    await log.close()
    const again = await open(storage)
    const positions = async (id: string) =>
      (await again.open(id, ['in'], 'earliest')).assignment.map(({ offset, done }) => [offset, done])
    expect(await positions('quiet')).toEqual([
      [0, []],
      [3, [5, 7]],
    ])
    expect(await positions('busy')).toEqual([
      [500, []],
      [499, []],
    ])
  })
})

describe('[E12] deleting the beginning of a topic', () => {
  it('hides it at once, also after a restart, and never goes back', async () => {
    const storage = new MemoryLogStorage()
    const log = await open(storage)
    await log.internal.ensure('s', 2, deleted)
    await log.append(['a', 'b', 'c'].map((key) => record('s', key, key)))
    await log.internal.deleteBelow('s', [2, 5])
    await log.internal.deleteBelow('s', [1, 0])
    expect(await rows(log, 's')).toEqual([[2, 'c', 'c']])
    expect(await log.internal.bounds('s')).toEqual([
      { start: 2, end: 3 },
      { start: 0, end: 0 },
    ])
    await log.close()
    const again = await open(storage)
    expect(await rows(again, 's')).toEqual([[2, 'c', 'c']])
    await again.internal.deleteBelow('s', [3])
    expect(await rows(again, 's')).toEqual([])
    expect((await again.append([record('s', 'd', 'd')]))[0]?.offset).toBe(3)
  })

  it('gives the room free, and keeps records of one key where no key is to be compacted', async () => {
    const storage = new MemoryLogStorage()
    const log = await open(storage)
    await log.internal.ensure('s', 1, deleted)
    for (let i = 0; i < 100; i++) {
      await busy(log, 's', 10)
      await log.internal.deleteBelow('s', [(i + 1) * 10 - 15])
    }
    expect((await rows(log, 's')).map(([offset]) => offset)).toEqual(Array.from({ length: 15 }, (_, i) => 985 + i))
    expect(await bytesOf(storage)).toBeLessThan(5 * SEGMENT)
    // A file that said no more than where the partition began is gone.
    expect((await storage.list()).length).toBeLessThan(8)
    await log.close()
    const again = await open(storage)
    expect((await rows(again, 's')).length).toBe(15)
    expect(await again.internal.bounds('s')).toEqual([{ start: 985, end: 1000 }])
  })
})

it('[E12] whatever is thinned out, and whenever it is opened again, what is left is the last record of each key', async () => {
  const random = new SeededRandom(11)
  const storage = new MemoryLogStorage()
  let log = await open(storage)
  const last = new Map<string, string | null>()
  await log.internal.ensure('s', 1, compacted)
  for (let round = 0; round < 30; round++) {
    for (let i = 0; i < 60; i++) {
      const key = `k${Math.floor(random.next() * 40)}`
      const value = random.next() < 0.3 ? null : `value ${round} ${i}`
      last.set(key, value)
      await log.append([record('s', key, value)])
      if (random.next() < 0.2) await rest()
    }
    if (random.next() < 0.3) {
      await log.close()
      log = await open(storage)
    }
    const seen = new Map((await rows(log, 's')).map(([, key, value]) => [key, value]))
    expect(seen).toEqual(last)
  }
})

/** A disk that keeps what was synced, and any part of what was appended since, when its host dies. */
class Mortal extends MemoryLogStorage {
  readonly #synced = new Map<string, number>()
  #isDead = false

  override async append(file: string, bytes: Uint8Array): Promise<void> {
    await this.#living()
    await super.append(file, bytes)
  }

  override async sync(file?: string): Promise<void> {
    await this.#living()
    if (file !== undefined) this.#synced.set(file, await this.size(file))
  }

  override async replace(file: string, bytes: Uint8Array): Promise<void> {
    await this.#living()
    const replaced = super.replace(file, bytes)
    this.#synced.set(file, bytes.length)
    await replaced
  }

  override async remove(file: string): Promise<void> {
    await this.#living()
    await super.remove(file)
  }

  /** What its host had begun never ends. */
  async #living(): Promise<void> {
    if (this.#isDead) await new Promise(() => {})
  }

  async afterDeath(random: SeededRandom): Promise<Mortal> {
    this.#isDead = true
    const left = new Mortal()
    for (const file of await this.list()) {
      const size = await this.size(file)
      const synced = Math.min(size, this.#synced.get(file) ?? 0)
      await left.replace(file, await this.read(file, 0, synced + Math.floor(random.next() * (size - synced + 1))))
    }
    return left
  }
}

it('[E6] [E12] a host that dies at any moment of it loses nothing that was committed', async () => {
  const random = new SeededRandom(5)
  const last = new Map<string, string | null>()
  let storage = new Mortal()
  let epoch = 0
  for (let life = 0; life < 25; life++) {
    const log = await open(storage)
    await log.internal.ensure('s', 1, compacted)
    await log.createTopic('in', 1)
    const session = await log.open('app', ['in'], 'earliest')
    expect(session.assignment[0]?.offset).toBe(epoch)
    expect(new Map((await rows(log, 's')).map(([, key, value]) => [key, value]))).toEqual(last)
    for (let i = 0; i < 40; i++) {
      const outputs = Array.from({ length: 3 }, () => {
        const key = `k${Math.floor(random.next() * 30)}`
        return record('s', key, random.next() < 0.2 ? null : `value ${epoch}`)
      })
      epoch++
      await session.commit({ epoch, outputs, positions: [{ topic: 'in', partition: 0, offset: epoch, done: [] }] })
      for (const { key, value } of outputs) last.set(shown(key) as string, shown(value))
      for (let turns = Math.floor(random.next() * 6); turns > 0; turns--) await Promise.resolve()
    }
    await log.append([record('in', 'x', 'not durable')])
    storage = await storage.afterDeath(random)
  }
  // Three records and a position an epoch: without thinning it would be many times as large.
  expect(await bytesOf(storage)).toBeLessThan(12 * SEGMENT)
})
