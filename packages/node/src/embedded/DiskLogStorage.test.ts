import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { EmbeddedLog, type OutputRecord, SystemClock } from '@lanescope/core'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { recordLogContract } from '../../../core/test/recordLogContract.js'
import { DiskLogStorage } from './DiskLogStorage.js'
import { holderOf } from './LogLock.js'
import { openEmbeddedLog, resetEmbeddedLog } from './openEmbeddedLog.js'

const clock = new SystemClock()
const refuseReports = (_: string, message: string) => {
  throw new Error(message)
}

recordLogContract('The embedded log on disk', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'lanescope-log-'))
  const open = () => openEmbeddedLog(dir, clock, refuseReports)
  let log = await open()
  return {
    log,
    reopen: async () => {
      await log.close()
      log = await open()
      return log
    },
    end: async () => {
      await log.close()
      await rm(dir, { recursive: true })
    },
  }
})

let dir: string
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'lanescope-log-'))
})
afterEach(() => rm(dir, { recursive: true }))

const open = async () => EmbeddedLog.open({ storage: await DiskLogStorage.open(dir), clock })
const record = (topic: string, value: string): OutputRecord => ({
  topic,
  partition: 0,
  key: null,
  value: new TextEncoder().encode(value),
  timestamp: 1,
  headers: [],
})

describe('The embedded log on disk', () => {
  it('[E6] loses nothing that was committed, and doubles nothing, whatever byte a crash cuts the file at', async () => {
    const path = join(dir, 'journal-00000001.log')
    let log = await open()
    await log.createTopic('in', 1)
    await log.createTopic('out', 1)
    await log.append([record('in', 'a')])
    const before = (await stat(path)).size
    const session = await log.open('app', ['in'], 'earliest')
    const positions = [{ topic: 'in', partition: 0, offset: 1, done: [] }]
    await session.commit({ epoch: 1, outputs: [record('out', 'x')], positions })
    await log.close()
    const whole = await readFile(path)
    for (let size = whole.length; size >= before; size--) {
      await writeFile(path, whole)
      await truncate(path, size)
      log = await open()
      const outputs = (await log.read('out', 0, 0, 10)).records.length
      const [start] = (await log.open('app', ['in'], 'earliest')).assignment
      expect([outputs, start?.offset]).toEqual(size === whole.length ? [1, 1] : [0, 0])
      await log.append([record('out', 'y')])
      await log.close()
      log = await open()
      expect((await log.read('out', 0, 0, 10)).records).toHaveLength(outputs + 1)
      await log.close()
    }
  })

  it('takes one writer, and names it', async () => {
    const log = await open()
    await expect(open()).rejects.toMatchObject({ code: 'LOG_LOCKED' })
    await expect(open()).rejects.toThrow(`this process (${process.pid})`)
    expect(await holderOf(dir)).toBe(`this process (${process.pid})`)
    await log.close()
    expect(await holderOf(dir)).toBeUndefined()
    await (await open()).close()
    expect((await readdir(dir)).filter((name) => name.startsWith('lock'))).toEqual([])
  })

  it('takes over from a process that died, also with an illegible lock', async () => {
    await writeFile(join(dir, 'lock'), JSON.stringify({ pid: await deadPid(), started: '' }))
    await (await open()).close()
    await writeFile(join(dir, 'lock'), '{"pid":')
    await (await open()).close()
  })

  it('tells a process from a later one with the same number', async () => {
    await writeFile(join(dir, 'lock'), JSON.stringify({ pid: process.pid, started: 'another boot 1' }))
    expect(await holderOf(dir)).toBeUndefined()
    await (await open()).close()
  })

  it('is locked while another process lives', async () => {
    const child = spawn(process.execPath, ['-e', 'process.stdin.resume()'], { stdio: ['pipe', 'ignore', 'ignore'] })
    try {
      await writeFile(join(dir, 'lock'), JSON.stringify({ pid: child.pid, started: '' }))
      await expect(open()).rejects.toThrow(`process ${child.pid}`)
    } finally {
      child.stdin.end()
    }
  })

  it('lets exactly one of many take over a dead lock', async () => {
    await writeFile(join(dir, 'lock'), JSON.stringify({ pid: await deadPid(), started: '' }))
    const tries = await Promise.allSettled(Array.from({ length: 8 }, () => DiskLogStorage.open(dir)))
    const won = tries.filter((result) => result.status === 'fulfilled')
    expect(won).toHaveLength(1)
    await won[0]?.value.close()
  })

  it('leaves the folder free when the log in it is damaged', async () => {
    const log = await open()
    await log.createTopic('in', 1)
    await log.createTopic('out', 1)
    await log.close()
    const path = join(dir, 'journal-00000001.log')
    const bytes = await readFile(path)
    bytes[18] = (bytes[18] as number) ^ 1
    await writeFile(path, bytes)
    await expect(openEmbeddedLog(dir, clock, refuseReports)).rejects.toMatchObject({ code: 'LOG_CORRUPT' })
    expect(await holderOf(dir)).toBeUndefined()
  })

  it('is empty after a reset, which a writer keeps off', async () => {
    const log = await open()
    await log.createTopic('in', 1)
    await expect(resetEmbeddedLog(dir)).rejects.toMatchObject({ code: 'LOG_LOCKED' })
    await log.close()
    await resetEmbeddedLog(dir)
    const again = await open()
    expect(await again.listTopics()).toEqual([])
    await again.close()
  })
})

/** The number of a process that has ended. */
function deadPid(): Promise<number> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, ['-e', '0'])
    child.on('exit', () => resolve(child.pid as number))
  })
}

describe('[E12] files of the embedded log on disk', () => {
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes)

  it('are replaced as a whole, and grow on from there', async () => {
    const storage = await DiskLogStorage.open(dir)
    await storage.append('a', new TextEncoder().encode('long before'))
    expect(text(await storage.read('a', 0, 100))).toBe('long before')
    await storage.replace('a', new TextEncoder().encode('after'))
    expect(text(await storage.read('a', 0, 100))).toBe('after')
    await storage.append('a', new TextEncoder().encode('wards'))
    await storage.sync('a')
    expect(text(await storage.read('a', 0, 100))).toBe('afterwards')
    await storage.close()
    expect(await readFile(join(dir, 'a'), 'utf8')).toBe('afterwards')
    expect((await readdir(dir)).filter((name) => name.endsWith('.new'))).toEqual([])
  })

  it('are replaced over what a crash has left of an earlier attempt', async () => {
    const storage = await DiskLogStorage.open(dir)
    await writeFile(join(dir, 'a.new'), 'a longer text that a crash has left')
    await storage.append('a', new TextEncoder().encode('before'))
    await storage.replace('a', new TextEncoder().encode('after'))
    expect(text(await storage.read('a', 0, 100))).toBe('after')
    await storage.close()
  })

  it('are not said to be replaced where their name cannot be taken', async () => {
    const storage = await DiskLogStorage.open(dir)
    await mkdir(join(dir, 'a'))
    await expect(storage.replace('a', new TextEncoder().encode('after'))).rejects.toThrow(
      /EISDIR|ENOTEMPTY|EEXIST|EPERM/,
    )
    await storage.close()
  })

  it('go when they are removed, also ones that are not there', async () => {
    const storage = await DiskLogStorage.open(dir)
    await storage.append('a', new TextEncoder().encode('before'))
    await storage.remove('a')
    await storage.remove('never')
    expect(await storage.list()).not.toContain('a')
    expect(await storage.size('a')).toBe(0)
    await storage.close()
  })

  it('stay few, however long a changelog is written', { timeout: 300_000 }, async () => {
    const log = await EmbeddedLog.open({ storage: await DiskLogStorage.open(dir), clock, segmentBytes: 1000 })
    await log.internal.ensure('s', 1, { needed: { 'cleanup.policy': 'compact' }, initial: {} })
    await log.createTopic('in', 1)
    const session = await log.open('app', ['in'], 'earliest')
    let epoch = 0
    // Epochs are synced as the thinning's files are: neither outruns the other on a slow disk, nor on a fast one.
    const commit = (key: string, value: string) => {
      const output = { ...record('s', value), key: new TextEncoder().encode(key) }
      return session.commit({ epoch: ++epoch, outputs: [output], positions: [] })
    }
    for (let i = 0; i < 300; i++) await commit(`k${i % 10}`, `value ${i}`)
    // It comes behind the writes, whose last ones it has not followed yet.
    while ((await readdir(dir)).length > 15) await commit('other', 'value')
    await log.close()
    const again = await open()
    const { records } = await again.read('s', 0, 0, 10_000)
    const seen = new Map(records.map(({ key, value }) => [text(key as Uint8Array), text(value as Uint8Array)]))
    const expected = Array.from({ length: 10 }, (_, i) => [`k${i}`, `value ${290 + i}`] as const)
    expect([...seen].filter(([key]) => key !== 'other').sort()).toEqual(expected)
    await again.close()
  })
})
