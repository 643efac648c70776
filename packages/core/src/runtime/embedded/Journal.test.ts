import { describe, expect, it } from 'vitest'
import { ManualClock } from '../../time/ManualClock.js'
import type { OutputRecord } from '../RecordLog.js'
import { crc32 } from './crc32.js'
import { EmbeddedLog } from './EmbeddedLog.js'
import { MemoryLogStorage } from './MemoryLogStorage.js'

const FILE = 'journal-00000001.log'
const record = (topic: string, value: string): OutputRecord => ({
  topic,
  partition: 0,
  key: null,
  value: new TextEncoder().encode(value),
  timestamp: 1,
  headers: [],
})
const openOver = (storage: MemoryLogStorage, segmentBytes = 1_000_000) =>
  EmbeddedLog.open({ storage, clock: new ManualClock(), segmentBytes })

async function copyOf(storage: MemoryLogStorage, change: (bytes: Uint8Array, file: string) => Uint8Array) {
  const copy = new MemoryLogStorage()
  for (const file of (await storage.list()).toSorted()) {
    await copy.append(file, change(await storage.read(file, 0, await storage.size(file)), file))
  }
  return copy
}

/** A log with one record and one epoch behind it; `before` is its size without the epoch. */
async function withEpoch() {
  const storage = new MemoryLogStorage()
  const log = await openOver(storage)
  await log.createTopic('in', 1)
  await log.createTopic('out', 1)
  await log.append([record('in', 'a')])
  const session = await log.open('app', ['in'], 'earliest')
  const before = await storage.size(FILE)
  await session.commit({
    epoch: 1,
    outputs: [record('out', 'x'), record('out', 'y')],
    positions: [{ topic: 'in', partition: 0, offset: 1, done: [] }],
  })
  return { storage, before, after: await storage.size(FILE) }
}

async function stateOf(log: EmbeddedLog) {
  const out = (await log.topics(['out'])).length > 0 ? (await log.read('out', 0, 0, 10)).records.length : -1
  const [position] = (await log.open('app', ['in'], 'earliest')).assignment
  return [out, position?.offset]
}

describe('The journal', () => {
  it('has the checksum of zip', () => {
    expect(crc32(new TextEncoder().encode('123456789'))).toBe(0xcbf43926)
    expect(crc32(new Uint8Array(0))).toBe(0)
  })

  it('[E1] an epoch cut at any byte is not there at all; whole it is there wholly', async () => {
    const { storage, before, after } = await withEpoch()
    for (let size = before; size <= after; size++) {
      const copy = await copyOf(storage, (bytes) => bytes.slice(0, size))
      const log = await openOver(copy)
      expect(await stateOf(log)).toEqual(size === after ? [2, 1] : [0, 0])
      expect(await copy.size(FILE)).toBe(size === after ? after : before)
    }
  })

  it('[E6] goes on after a cut tail, and keeps what it writes then', async () => {
    const { storage, after } = await withEpoch()
    const copy = await copyOf(storage, (bytes) => bytes.slice(0, after - 1))
    const log = await openOver(copy)
    expect(await log.append([record('out', 'z')])).toEqual([{ partition: 0, offset: 0 }])
    expect((await (await openOver(copy)).read('out', 0, 0, 10)).records).toHaveLength(1)
  })

  it.each([1, 7, 8, 40])('cuts %d zero bytes that a crash left at the end', async (zeros) => {
    const { storage, after } = await withEpoch()
    const copy = await copyOf(storage, (bytes) => Uint8Array.of(...bytes, ...new Uint8Array(zeros)))
    expect(await stateOf(await openOver(copy))).toEqual([2, 1])
    expect(await copy.size(FILE)).toBe(after)
  })

  it('cuts a last entry with a flipped bit', async () => {
    const { storage, before, after } = await withEpoch()
    for (let at = before; at < after; at++) {
      const copy = await copyOf(storage, (bytes) => bytes.with(at, (bytes[at] as number) ^ 1))
      expect(await stateOf(await openOver(copy))).toEqual([0, 0])
    }
  })

  it('refuses damage that whole entries follow, and names the place', async () => {
    const { storage, before } = await withEpoch()
    const copy = await copyOf(storage, (bytes) => bytes.with(before - 1, (bytes[before - 1] as number) ^ 1))
    await expect(openOver(copy)).rejects.toMatchObject({ code: 'LOG_CORRUPT', retriable: false })
    await expect(openOver(copy)).rejects.toThrow(FILE)
  })

  it('refuses a damaged end of any file but the last', async () => {
    const storage = new MemoryLogStorage()
    const log = await openOver(storage, 100)
    await log.createTopic('in', 1)
    for (const value of ['a', 'b', 'c', 'd']) await log.append([record('in', value.repeat(60))])
    const files = (await storage.list()).toSorted()
    expect(files.length).toBeGreaterThan(2)
    const cut = await copyOf(storage, (bytes, file) => (file === files[1] ? bytes.slice(0, -1) : bytes))
    await expect(openOver(cut, 100)).rejects.toMatchObject({ code: 'LOG_CORRUPT' })
    const gone = new MemoryLogStorage()
    for (const file of files.filter((name) => name !== files[1])) {
      await gone.append(file, await storage.read(file, 0, await storage.size(file)))
    }
    await expect(openOver(gone, 100)).rejects.toMatchObject({ code: 'LOG_CORRUPT' })
  })

  it('[E6] begins a last file anew whose header a crash cut', async () => {
    for (let size = 0; size < 8; size++) {
      const storage = new MemoryLogStorage()
      const log = await openOver(storage, 60)
      await log.createTopic('in', 1)
      await log.append([record('in', 'a'.repeat(60))])
      await log.append([record('in', 'b')])
      const last = (await storage.list()).toSorted().at(-1) as string
      expect(last).not.toBe(FILE)
      const copy = await copyOf(storage, (bytes, file) => (file === last ? bytes.slice(0, size) : bytes))
      const again = await openOver(copy, 60)
      expect((await again.read('in', 0, 0, 10)).records).toHaveLength(1)
      expect(await again.append([record('in', 'c')])).toEqual([{ partition: 0, offset: 1 }])
      expect((await (await openOver(copy, 60)).read('in', 0, 0, 10)).records).toHaveLength(2)
    }
  })

  it('leaves a file of the older format for a new one, so that an older version is not led into what it cannot read', async () => {
    const { storage } = await withEpoch()
    const older = await copyOf(storage, (bytes) => bytes.with(4, 1))
    const before = await older.read(FILE, 0, 1_000_000)
    const log = await openOver(older)
    expect(await stateOf(log)).toEqual([2, 1])
    await log.append([record('in', 'b')])
    expect(await older.read(FILE, 0, 1_000_000)).toEqual(before)
    expect((await older.list()).toSorted()).toEqual([FILE, 'journal-00000002.log'])
    expect((await (await openOver(older)).read('in', 0, 0, 10)).records).toHaveLength(2)
    expect((await older.list()).length).toBe(2)
  })

  it('refuses a newer format and files that are none of its own', async () => {
    const { storage } = await withEpoch()
    const newer = await copyOf(storage, (bytes) => bytes.with(4, 3))
    await expect(openOver(newer)).rejects.toThrow('format 3')
    const foreign = await copyOf(storage, (bytes) => bytes.with(0, 0))
    await expect(openOver(foreign)).rejects.toMatchObject({ code: 'LOG_CORRUPT' })
  })

  it('leaves other files of the folder alone', async () => {
    const { storage } = await withEpoch()
    await storage.append('lock', new Uint8Array([1, 2, 3]))
    await storage.append('journal-x.log', new Uint8Array([1]))
    expect(await stateOf(await openOver(storage))).toEqual([2, 1])
  })
})

/** A disk that fails when told to. */
class FailingStorage extends MemoryLogStorage {
  failing: 'append' | 'append-and-truncate' | 'sync' | undefined

  override async append(file: string, bytes: Uint8Array): Promise<void> {
    const fails = this.failing === 'append' || this.failing === 'append-and-truncate'
    await super.append(file, fails ? bytes.slice(0, bytes.length >> 1) : bytes)
    if (fails) throw new Error('no space left')
  }

  override async truncate(file: string, size: number): Promise<void> {
    if (this.failing === 'append-and-truncate') throw new Error('gone')
    await super.truncate(file, size)
  }

  override async sync(): Promise<void> {
    if (this.failing === 'sync') throw new Error('I/O error')
  }
}

describe('The journal on a failing disk', () => {
  async function setUp() {
    const storage = new FailingStorage()
    const log = await openOver(storage)
    await log.createTopic('in', 1)
    return { storage, log }
  }

  it('takes half a write back, and goes on when the disk does', async () => {
    const { storage, log } = await setUp()
    storage.failing = 'append'
    await expect(log.append([record('in', 'a')])).rejects.toMatchObject({ code: 'LOG_UNAVAILABLE', retriable: true })
    storage.failing = undefined
    expect(await log.append([record('in', 'b')])).toEqual([{ partition: 0, offset: 0 }])
    expect((await (await openOver(storage)).read('in', 0, 0, 10)).records).toHaveLength(1)
  })

  it('writes no more when half a write cannot be taken back', async () => {
    const { storage, log } = await setUp()
    storage.failing = 'append-and-truncate'
    await expect(log.append([record('in', 'a')])).rejects.toMatchObject({ code: 'LOG_UNAVAILABLE', retriable: false })
    storage.failing = undefined
    await expect(log.append([record('in', 'b')])).rejects.toMatchObject({ code: 'LOG_UNAVAILABLE', retriable: false })
    await log.close()
    expect((await (await openOver(storage)).read('in', 0, 0, 10)).records).toEqual([])
  })

  it('[E9] an epoch whose sync failed has an open outcome, which the next open settles', async () => {
    const { storage, log } = await setUp()
    const session = await log.open('app', ['in'], 'earliest')
    storage.failing = 'sync'
    const position = { topic: 'in', partition: 0, offset: 4, done: [] }
    await expect(session.commit({ epoch: 1, outputs: [], positions: [position] })).rejects.toMatchObject({
      code: 'LOG_UNAVAILABLE',
      retriable: false,
    })
    await expect(log.append([record('in', 'b')])).rejects.toMatchObject({ code: 'LOG_UNAVAILABLE' })
    storage.failing = undefined
    expect((await (await openOver(storage)).open('app', ['in'], 'earliest')).assignment).toEqual([position])
  })
})
