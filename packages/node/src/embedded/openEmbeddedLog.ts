import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Clock, EmbeddedLog } from '@lanescope/core'
import type { LogReport } from '../LogReport.js'
import { DiskLogStorage } from './DiskLogStorage.js'
import { InboxReader, inboxOf } from './Inbox.js'

/**
 * Opens the log of a folder for writing, and takes over what other processes have left in its inbox, and leave there later.
 *
 * @throws StreamError LOG_LOCKED naming the process that uses it, LOG_CORRUPT when it is damaged
 */
export async function openEmbeddedLog(dir: string, clock: Clock, report: LogReport): Promise<EmbeddedLog> {
  const storage = await DiskLogStorage.open(dir)
  let log: EmbeddedLog
  try {
    const onThinningFailed = (error: unknown) =>
      report('warn', `The embedded log in "${dir}" could not be thinned out, and grows on: ${String(error)}`)
    log = await EmbeddedLog.open({ storage, clock, onThinningFailed })
  } catch (error) {
    await storage.close()
    throw error
  }
  const inbox = new InboxReader(dir, log, clock, (message) => report('warn', message))
  // What was sent before the start is there when the log opens: topics, for one, without which nothing starts.
  await inbox.start()
  log.beforeClose(() => inbox.stop())
  return log
}

/**
 * Deletes everything in the log of a folder: topics, records, positions, and what waits in its inbox.
 *
 * @throws StreamError LOG_LOCKED while a process uses it
 */
export async function resetEmbeddedLog(dir: string): Promise<void> {
  const storage = await DiskLogStorage.open(dir)
  try {
    for (const file of await storage.list()) {
      if (file.startsWith('journal-')) await rm(join(dir, file))
    }
    await rm(inboxOf(dir), { recursive: true, force: true })
  } finally {
    await storage.close()
  }
}
