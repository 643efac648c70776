import { randomUUID } from 'node:crypto'
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Cancellable, type Clock, type LogAdmin, type OutputRecord, StreamError } from '@lanescope/core'
import { makeFolder } from '../makeFolder.js'
import { newestOf, newestTime } from '../traffic/newestTime.js'
import type { TrafficTarget } from '../traffic/TrafficTarget.js'
import { decodeRequest, encodeRequest, type InboxRequest } from './inboxRequest.js'
import { withLogSnapshot } from './LogSnapshot.js'

const POLL_MS = 50
/** A sender waits when so many requests are unread: the app is not running, or cannot keep up. */
const MOST_UNREAD = 500

/** The folder beside a log's files in which other processes leave what they want appended. */
export function inboxOf(logDir: string): string {
  return join(logDir, 'inbox')
}

/**
 * Hands topics and records to whichever process writes the embedded log, now or later.
 *
 * The log has one writer, so another process puts each request into the inbox folder, and the writer picks it up.
 * A folder, not a socket: nothing listens, the order in which the two start does not matter, and what was sent before
 * a crash of either is still there.
 */
export class InboxSender implements TrafficTarget {
  #sequence = 0
  #closed = false
  readonly #sender = randomUUID()

  constructor(
    private readonly logDir: string,
    private readonly clock: Clock,
  ) {}

  createTopic(topic: string, partitions: number): Promise<void> {
    return this.#send({ topics: [{ topic, partitions }], records: [] })
  }

  /** Resolves once the request is in the folder; not when it is in the log. */
  append(records: readonly OutputRecord[]): Promise<void> {
    return this.#send({ topics: [], records })
  }

  /** In the log, and in what waits for it. */
  async newestTime(topic: string, notAfter: number): Promise<number | undefined> {
    // First what waits: a request that the writer takes meanwhile is then in the log.
    const waiting = await this.#waitingTimes(topic)
    const logged = await withLogSnapshot(this.logDir, this.clock, (log) => newestTime(log, topic, notAfter))
    return newestOf([...waiting, logged], notAfter)
  }

  /** Ends a wait for room; what was not handed over by then is not. */
  close(): void {
    this.#closed = true
  }

  async #waitingTimes(topic: string): Promise<number[]> {
    const folder = inboxOf(this.logDir)
    const times: number[] = []
    for (const file of await unread(folder)) {
      const records = await readWaiting(join(folder, file))
      for (const record of records) if (record.topic === topic) times.push(record.timestamp)
    }
    return times
  }

  async #send(request: InboxRequest): Promise<void> {
    const folder = inboxOf(this.logDir)
    await makeFolder(folder)
    while ((await unread(folder)).length >= MOST_UNREAD) {
      if (this.#closed) return
      await new Promise<void>((resolve) => this.clock.after(POLL_MS, resolve))
    }
    const order = `${String(this.clock.now()).padStart(15, '0')}-${this.#sender}-${String(this.#sequence++).padStart(9, '0')}`
    const draft = join(folder, `${order}.draft`)
    await writeFile(draft, encodeRequest(request))
    // The writer sees whole requests only.
    await rename(draft, join(folder, `${order}.json`))
  }
}

/** The writer's side: appends what lies in the inbox, in order, until stopped. */
export class InboxReader {
  #timer: Cancellable | undefined
  #turn: Promise<void> = Promise.resolve()
  #stopped = false
  /** What was told last: a trouble that lasts is told once, not at every look. */
  #trouble = ''

  constructor(
    private readonly logDir: string,
    private readonly admin: LogAdmin,
    private readonly clock: Clock,
    private readonly onError: (message: string) => void,
  ) {}

  /** Looks now, and then again and again. Resolves once what lay there has been appended, or has been told to wait. */
  start(): Promise<void> {
    this.#turn = this.drain()
      .then(
        () => {
          this.#trouble = ''
        },
        (error: unknown) => this.#tell(`The inbox of the embedded log waits: ${(error as Error).message}`),
      )
      .then(() => {
        if (!this.#stopped) this.#timer = this.clock.after(POLL_MS, () => void this.start())
      })
    return this.#turn
  }

  /** Ends the polling and waits for the request under way. */
  async stop(): Promise<void> {
    this.#stopped = true
    this.#timer?.cancel()
    await this.#turn
  }

  /** Appends all requests that lie there now. One that cannot be done is reported and thrown away. */
  async drain(): Promise<void> {
    const folder = inboxOf(this.logDir)
    for (const file of await unread(folder)) {
      if (this.#stopped) return
      const path = join(folder, file)
      try {
        await this.#apply(decodeRequest(await readFile(path, 'utf8')))
      } catch (error) {
        // The log takes nothing at the moment: the request stays for later.
        if (error instanceof StreamError && error.code === 'LOG_UNAVAILABLE') throw error
        this.onError(`A request in the inbox of the embedded log was refused: ${(error as Error).message}`)
      }
      // Removed after the append: a crash in between appends it twice, and loses nothing.
      await rm(path, { force: true })
    }
  }

  #tell(trouble: string): void {
    if (trouble !== this.#trouble) this.onError(trouble)
    this.#trouble = trouble
  }

  async #apply({ topics, records }: InboxRequest): Promise<void> {
    for (const { topic, partitions } of topics) await this.admin.createTopic(topic, partitions)
    if (records.length > 0) await this.admin.append(records)
  }
}

/** The records of a request; none when the writer has just taken it, or will refuse it. */
async function readWaiting(path: string): Promise<readonly OutputRecord[]> {
  try {
    return decodeRequest(await readFile(path, 'utf8')).records
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    if (error instanceof SyntaxError || error instanceof StreamError) return []
    throw error
  }
}

async function unread(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).filter((name) => name.endsWith('.json')).sort()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}
