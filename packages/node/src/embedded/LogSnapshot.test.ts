import { appendFile, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SystemClock } from '@lanescope/core'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { LogLock } from './LogLock.js'
import { withLogSnapshot } from './LogSnapshot.js'
import { openEmbeddedLog } from './openEmbeddedLog.js'

const clock = new SystemClock()
let dir: string
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'lanescope-snapshot-'))
})
afterEach(() => rm(dir, { recursive: true }))

const record = (timestamp: number) => ({ topic: 'in', partition: 0, key: null, value: null, timestamp, headers: [] })
const timesIn = () =>
  withLogSnapshot(dir, clock, async (log) => {
    const { records } = await log.read('in', 0, 0, 100)
    return records.map(({ timestamp }) => timestamp)
  })

describe('a snapshot of an embedded log', () => {
  it('shows what is there while another writes, again and again', async () => {
    const log = await openEmbeddedLog(dir, clock, () => {})
    await log.createTopic('in', 1)
    await log.append([record(1), record(2)])
    expect(await timesIn()).toEqual([1, 2])
    await log.append([record(3)])
    expect(await timesIn()).toEqual([1, 2, 3])
    await log.close()
  })

  it('takes no lock and leaves a half-written end alone', async () => {
    const log = await openEmbeddedLog(dir, clock, () => {})
    await log.createTopic('in', 1)
    await log.append([record(1)])
    await log.close()
    const [file = ''] = (await readdir(dir)).filter((name) => name.startsWith('journal-'))
    await appendFile(join(dir, file), Uint8Array.of(0, 0, 0, 90, 1, 2))
    const before = await readFile(join(dir, file))
    const lock = await LogLock.take(dir)
    expect(await timesIn()).toEqual([1])
    await lock.release()
    expect(await readFile(join(dir, file))).toEqual(before)
  })

  it('[E12] looks again when a file goes that was in the list', async () => {
    const log = await openEmbeddedLog(dir, clock, () => {})
    await log.createTopic('in', 1)
    await log.append([record(1)])
    await log.close()
    const gone = join(dir, 'journal-00000000.log')
    // In the list, and not there when it is opened.
    await symlink(join(dir, 'nowhere'), gone)
    const seen = timesIn()
    await rm(gone)
    expect(await seen).toEqual([1])
  })

  it('gives up on a file that is always in the list and never there', async () => {
    await symlink(join(dir, 'nowhere'), join(dir, 'journal-00000001.log'))
    await expect(timesIn()).rejects.toThrow('ENOENT')
  })

  it('is empty where there is no log, and makes none', async () => {
    await withLogSnapshot(dir, clock, async (log) => expect(await log.listTopics()).toEqual([]))
    await withLogSnapshot(join(dir, 'none'), clock, async (log) => expect(await log.listTopics()).toEqual([]))
    expect(await readdir(dir)).toEqual([])
  })
})
