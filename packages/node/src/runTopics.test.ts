import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Consumed, Produced, StreamsBuilder, SystemClock, string } from '@lanescope/core'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { InboxSender } from './embedded/Inbox.js'
import { openLog } from './openLog.js'
import { run } from './run.js'

const clock = new SystemClock()

/** lines → loud. */
function shouting() {
  const builder = new StreamsBuilder()
  builder
    .stream('lines', Consumed.with(string, string, { nulls: 'drop' }))
    .mapValues((line) => line.toUpperCase())
    .to('loud', Produced.with(string, string))
  return builder.build()
}

describe('topics of an application on the embedded log', () => {
  let dir: string
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'lanescope-topics-'))
  })
  afterEach(() => rm(dir, { recursive: true }))
  const config = () => ({ 'application.id': 'shout', 'embedded.log.dir': dir })

  it('are made where they are missing, and left as they are where they are not', async () => {
    const before = await openLog(config(), { clock })
    await before.createTopic('loud', 3)
    await before.close()
    const topics = ['lines', 'loud'].map((topic) => ({ topic, partitions: 2 }))
    await (await run(shouting(), config(), { topics })).stop()
    const log = await openLog(config(), { clock })
    expect(await log.topics(['lines', 'loud'])).toMatchObject([
      { topic: 'lines', partitions: 2 },
      { topic: 'loud', partitions: 3 },
    ])
    await log.close()
  })

  it('gives the log free when one cannot be made', async () => {
    const running = run(shouting(), config(), { topics: [{ topic: 'lines', partitions: 0 }] })
    await expect(running).rejects.toThrow()
    await (await openLog(config(), { clock })).close()
  })

  it('are there at the start when another process has sent them before', async () => {
    const sender = new InboxSender(dir, clock)
    await sender.createTopic('lines', 1)
    await sender.createTopic('loud', 1)
    const app = await run(shouting(), config())
    expect(app.state).toBe('running')
    await app.stop()
  })
})
