import { mkdtemp, open, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { compareBytes, toHex } from '@lanescope/core'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { packEntries } from '../../test/packEntries.js'
import { RunSource } from './EntrySource.js'
import { type Change, EntryView } from './entry.js'
import { hashKey } from './KeyFilter.js'
import { RunMergeSource } from './MergeSource.js'
import { PAGE_BYTES, PageCache } from './PageCache.js'
import { Run, removeRuns } from './Run.js'
import { RunWriter } from './RunWriter.js'

const bytes = (...values: number[]) => Uint8Array.from(values)
const key = (i: number) => bytes(i >>> 8, i & 255)
const noPause = async () => {}

let folder: string
let runs: Run[]
const cache = new PageCache(20 * PAGE_BYTES)

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lanescope-run-'))
  runs = []
})

afterEach(async () => {
  for (const run of runs) {
    cache.forget(run)
    run.close()
  }
  await rm(folder, { recursive: true, force: true })
})

async function write(stores: Readonly<Record<number, readonly Change[]>>, number = 3): Promise<Run> {
  const entries = Object.values(stores).reduce((sum, { length }) => sum + length, 0)
  const writer = await RunWriter.create(folder, number, entries)
  const view = new EntryView()
  for (const [store, changes] of Object.entries(stores)) {
    for (const change of changes) {
      view.set(packEntries([change], 5).bytes, 5)
      writer.add(Number(store), view)
      if (writer.isFull) await writer.write()
    }
  }
  const head = await writer.finish(9, noPause)
  if (head === undefined) throw new Error('nothing was written')
  expect([head.run, head.upTo, head.index[1]]).toEqual([number, 9, (await stat(join(folder, `${number}.run`))).size])
  const run = Run.open(folder, head)
  runs.push(run)
  return run
}

const get = (run: Run, store: number, wanted: Uint8Array) =>
  run.get(store, hashKey(store, wanted, 0, wanted.length), wanted, cache)

function read(run: Run, store: number, from?: Uint8Array, reverse = false): Change[] {
  const section = run.section(store)
  if (section === undefined) return []
  const source = new RunSource(run, section, cache, { from, reverse })
  const found: Change[] = []
  while (source.next()) found.push([source.key, source.isDeleted ? undefined : source.value])
  return found
}

describe('a run', () => {
  it('has the changes of each store, deletions too, and of no other one', async () => {
    const run = await write({
      2: [
        [bytes(1), bytes(10)],
        [bytes(2), undefined],
      ],
      5: [[bytes(1), bytes(50)]],
    })
    expect([get(run, 2, bytes(1)), get(run, 2, bytes(2)), get(run, 2, bytes(3)), get(run, 5, bytes(1))]).toEqual([
      bytes(10),
      null,
      undefined,
      bytes(50),
    ])
    expect([get(run, 1, bytes(1)), get(run, 3, bytes(1)), get(run, 5, bytes(2)), run.section(3)]).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ])
    expect(run.section(2)).toMatchObject({ firstPage: 0, pages: 1, entries: 2 })
    expect(run.section(5)).toMatchObject({ firstPage: 1, pages: 1, entries: 1 })
    expect((run.section(2)?.bytes ?? 0) + (run.section(5)?.bytes ?? 0)).toBe(run.bytes)
  })

  it('cuts pages where the next entry would be too much, and finds every key, and none beside them', async () => {
    // 32 bytes each: 63 of them and a checksum are 2020, one more would be 2052.
    const changes = Array.from({ length: 200 }, (_, i) => [key(2 * i + 1), new Uint8Array(28).fill(i)] as const)
    const run = await write({ 1: changes })
    expect(Array.from({ length: run.index.pages }, (_, page) => run.lengthOf(page))).toEqual([2020, 2020, 2020, 356])
    for (let i = 0; i <= 401; i++) {
      expect(get(run, 1, key(i))?.[0]).toBe(i % 2 === 1 && i < 400 ? (i - 1) / 2 : undefined)
      expect(read(run, 1, key(i)).length).toBe(200 - Math.floor(i / 2))
      expect(read(run, 1, key(i), true).length).toBe(Math.min(200, Math.floor(i / 2)))
    }
    expect(read(run, 1)).toEqual(changes)
    expect(read(run, 1, undefined, true)).toEqual([...changes].reverse())
  })

  it('fills a page to its last byte, and not beyond', async () => {
    const of = async (length: number, number: number) =>
      (
        await write(
          {
            1: [
              [key(1), bytes()],
              [key(2), new Uint8Array(length)],
            ],
          },
          number,
        )
      ).index.pages
    // 4 bytes of the first, 3 of lengths and 2 of the key of the second, 4 of the checksum.
    expect(await of(PAGE_BYTES - 4 - 3 - 2 - 4, 1)).toBe(1)
    expect(await of(PAGE_BYTES - 4 - 3 - 2 - 3, 2)).toBe(2)
  })

  it.each([2_000, 2_044, 60_000, 700_000])('has entries of %d bytes, between others', async (length) => {
    const long = Uint8Array.from({ length }, (_, i) => i & 255)
    const changes: Change[] = [
      [key(1), bytes(1)],
      [key(2), long],
      [key(3), bytes(3)],
      [key(4), long],
      [key(5), long],
    ]
    const run = await write({ 1: changes, 2: [[key(2), bytes(2)]] })
    expect(get(run, 1, key(3))).toEqual(bytes(3))
    for (const i of [2, 4, 5]) expect(Buffer.compare(get(run, 1, key(i)) ?? bytes(), long)).toBe(0)
    expect(read(run, 1).map(([, value]) => value?.length)).toEqual([1, length, 1, length, length])
    expect(read(run, 1, key(4), true).map(([, value]) => value?.length)).toEqual([1, length, 1])
    expect(get(run, 2, key(2))).toEqual(bytes(2))
  })

  it('is read section by section by a merge, in chunks, to its last entry', async () => {
    const many = (fill: number) =>
      Array.from({ length: 9_000 }, (_, i) => [key(i), new Uint8Array(60).fill(fill)] as const)
    const run = await write({ 1: many(1), 4: [[key(7), undefined]], 6: many(6) })
    const file = await open(join(folder, '3.run'), 'r')
    try {
      for (const [store, count, fill] of [
        [1, 9_000, 1],
        [4, 1, undefined],
        [6, 9_000, 6],
      ] as const) {
        const section = run.section(store)
        if (section === undefined) throw new Error('no section')
        const source = new RunMergeSource(run, section, file)
        const keys: string[] = []
        for (let more = source.next() || (await source.fill()); more; more = source.next() || (await source.fill())) {
          keys.push(toHex(source.key))
          expect([source.isDeleted, source.value[0]]).toEqual([fill === undefined, fill])
        }
        expect(keys).toEqual(store === 4 ? [toHex(key(7))] : Array.from({ length: count }, (_, i) => toHex(key(i))))
      }
    } finally {
      await file.close()
    }
  })

  it('tells the pages of a run apart from those of others, and from one another', async () => {
    const changes = Array.from({ length: 200 }, (_, i) => [key(i), new Uint8Array(28)] as const)
    const run = await write({ 1: changes })
    const page = new Uint8Array(PAGE_BYTES)
    expect(run.fill(0, page, 0)).toBe(2016)
    // The same bytes, as the page of another run.
    const other = await write({ 1: changes }, 4)
    const file = await open(join(folder, '4.run'), 'r+')
    await file.write(page, 0, 2020, 0)
    await file.write(page, 0, 2020, 2020)
    await file.close()
    expect(() => other.fill(0, page, 0)).toThrow('the checksum of a page is wrong')
    expect(() => other.fill(1, page, 0)).toThrow('the checksum of a page is wrong')
    expect(other.fill(2, page, 0)).toBe(2016)
  })

  it('is none when nothing was added', async () => {
    const writer = await RunWriter.create(folder, 1, 0)
    expect(await writer.finish(1, noPause)).toBeUndefined()
  })

  it('keeps sections and pages of many stores', async () => {
    const stores = Object.fromEntries(
      Array.from({ length: 300 }, (_, i) => [i + 1, [[key(i), bytes(i & 255)] as const]]),
    )
    const run = await write(stores)
    expect(run.index.pages).toBe(300)
    for (let i = 0; i < 300; i++) expect(get(run, i + 1, key(i))).toEqual(bytes(i & 255))
    expect(compareBytes(run.index.keys.subarray(0, 2), key(0))).toBe(0)
  })

  it('goes when nothing refers to it, and tells the greatest number there was', async () => {
    await write({ 1: [[key(1), bytes()]] }, 7)
    await write({ 1: [[key(1), bytes()]] }, 12)
    await write({ 1: [[key(1), bytes()]] }, 9)
    expect(await removeRuns(folder, new Set([9]))).toBe(12)
    expect(await readdir(folder)).toEqual(['9.run'])
    expect(await removeRuns(join(folder, 'missing'), new Set())).toBe(0)
  })

  it('[E11] removes files that others remove at the same time', async () => {
    for (let run = 1; run <= 40; run++) await writeFile(join(folder, `${run}.run`), 'half')
    await Promise.all([1, 2, 3].map(() => removeRuns(folder, new Set([7]))))
    expect(await readdir(folder)).toEqual(['7.run'])
  })
})
