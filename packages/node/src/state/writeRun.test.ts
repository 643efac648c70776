import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { packEntries } from '../../test/packEntries.js'
import { ChangeBuffer } from './ChangeBuffer.js'
import { RunSource } from './EntrySource.js'
import type { Change } from './entry.js'
import { hashKey } from './KeyFilter.js'
import { BufferMergeSource, type MergeSource } from './MergeSource.js'
import { PageCache } from './PageCache.js'
import { Run, RunDamaged } from './Run.js'
import { RunWriter } from './RunWriter.js'
import { writeRun } from './writeRun.js'

const bytes = (...values: number[]) => Uint8Array.from(values)
const noPause = async () => {}

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lanescope-merge-'))
})

afterEach(async () => {
  await rm(folder, { recursive: true, force: true })
})

async function sourceOf(...changes: Change[]): Promise<MergeSource> {
  const { bytes, starts } = packEntries(changes)
  const buffer = new ChangeBuffer([bytes])
  await buffer.makeRoom(changes.length, noPause)
  const staged = changes.map(([key], i) => {
    const hash = hashKey(1, key, 0, key.length)
    buffer.find(hash, key, 0, key.length)
    return [buffer.stage(hash, 0, starts[i] as number), starts[i] as number] as const
  })
  await buffer.endPiece(noPause)
  for (const [entry, start] of staged) buffer.show(entry, 0, start)
  const [run] = buffer.runs
  if (run === undefined) throw new Error('no changes')
  return new BufferMergeSource(run)
}

async function merged(sources: readonly MergeSource[], keepDeletions: boolean): Promise<Change[] | undefined> {
  const writer = await RunWriter.create(folder, 1, 100)
  await writeRun(writer, [[1, sources]], { keepDeletions, pause: noPause })
  const head = await writer.finish(1, noPause)
  if (head === undefined) return undefined
  const run = Run.open(folder, head)
  const section = run.section(1)
  if (section === undefined) throw new Error('no section')
  const found: Change[] = []
  const source = new RunSource(run, section, new PageCache(0), { from: undefined, reverse: false })
  while (source.next()) found.push([source.key, source.isDeleted ? undefined : source.value])
  run.close()
  expect(section.entries).toBe(found.length)
  return found
}

describe('the merge of sources into a run', () => {
  const put = (key: number, value: number): Change => [bytes(key), bytes(value)]
  const del = (key: number): Change => [bytes(key), undefined]
  const sources = () =>
    Promise.all([
      sourceOf(put(2, 22), del(3), put(9, 92)),
      sourceOf(put(1, 11), del(2), put(3, 13), del(4)),
      sourceOf(put(2, 2), put(4, 4), put(5, 5), put(9, 9)),
    ])

  it('has each key once, as the newest has it, and keeps what is deleted while something older may have it', async () => {
    expect(await merged(await sources(), true)).toEqual([put(1, 11), put(2, 22), del(3), del(4), put(5, 5), put(9, 92)])
  })

  it('drops what is deleted when nothing is older', async () => {
    expect(await merged(await sources(), false)).toEqual([put(1, 11), put(2, 22), put(5, 5), put(9, 92)])
    expect(await merged([await sourceOf(del(1)), await sourceOf(put(1, 1))], false)).toBeUndefined()
  })

  it('says in which store a source was damaged, and leaves other errors as they are', async () => {
    const broken = async (error: Error) => {
      const source = await sourceOf(put(1, 1))
      source.next = () => false
      source.fill = () => Promise.reject(error)
      return source
    }
    for (const [error, store] of [
      [new RunDamaged('the checksum of a page is wrong'), 7],
      [new Error('EIO'), undefined],
    ] as const) {
      const writer = await RunWriter.create(folder, 1, 1)
      const work = writeRun(writer, [[7, [await broken(error)]]], { keepDeletions: true, pause: noPause })
      await expect(work).rejects.toBe(error)
      expect((error as RunDamaged).store).toBe(store)
      await writer.abandon()
    }
  })

  it('gives others their turn now and then, and stops when it is told to', async () => {
    const many = () => sourceOf(...Array.from({ length: 2_000 }, (_, i) => [bytes(i >> 8, i & 255), bytes()] as const))
    let turns = 0
    const pause = async () => {
      turns++
      if (turns > 10) throw new Error('nobody wants it')
    }
    const writer = await RunWriter.create(folder, 1, 4_000)
    const work = writeRun(
      writer,
      [
        [1, [await many()]],
        [2, [await many()]],
      ],
      { keepDeletions: true, pause },
    )
    await expect(work).rejects.toThrow('nobody wants it')
    await writer.abandon()
  })
})
