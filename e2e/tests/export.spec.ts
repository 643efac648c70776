import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ExportedProject } from '../support/ExportedProject.js'
import { exportProject } from '../support/exportProject.js'
import { startKafkaBroker, whyNoBroker } from '../support/kafka.js'
import { expect, test } from '../support/test.js'
import { readTopic } from '../support/topics.js'

/** Step 6: what was designed runs without us, on the embedded log and on Kafka. */
test.describe('An exported project', () => {
  test.setTimeout(300_000)
  let project: ExportedProject

  test.beforeEach(async ({ designer, page }) => {
    await designer.openFirstExample()
    await designer.mark('sessionize').click()
    await designer.finding.getByRole('button', { name: /^Declare Consumed\.with\(json/ }).click()
    await expect(designer.mark('sessionize')).toBeHidden()
    project = await exportProject(designer, page)
    await project.npm('install', '--no-audit', '--no-fund')
  })
  test.afterEach(() => project?.remove())

  test('passes its own test', async () => {
    expect(await project.npm('test')).toMatch(/^# fail 0$/m)
  })

  test('runs on the embedded log, fed by its own traffic', async () => {
    const app = project.start('start')
    await app.says(/Running on the embedded log/)
    const traffic = project.start('run', 'traffic')
    const log = join(project.folder, '.lanescope', 'log')
    await expect.poll(() => hasSession(log), { timeout: 120_000 }).toBe(true)
    await traffic.stop()
    await app.stop()
    expect(app.said()).toMatch(/Stopped\.\s*$/)
    expectSessions(await readTopic({ 'embedded.log.dir': log }, 'sessions'))
  })

  test('runs on a real Kafka broker, fed by its own traffic', async () => {
    const reason = whyNoBroker()
    test.skip(reason !== undefined, reason)
    const broker = await startKafkaBroker()
    try {
      const servers = ['--bootstrap-servers', broker.bootstrap]
      const app = project.start('start', '--', ...servers, '--create-topics')
      await app.says(/Running on Kafka/)
      const traffic = project.start('run', 'traffic', '--', ...servers)
      const kafka = { 'bootstrap.servers': broker.bootstrap }
      await expect
        .poll(async () => (await readTopic(kafka, 'sessions')).length, { timeout: 120_000 })
        .toBeGreaterThan(0)
      expectSessions(await readTopic(kafka, 'sessions'))
      await traffic.stop()
      await app.stop()
      expect(app.said()).toMatch(/Stopped\.\s*$/)
    } finally {
      await broker.stop()
    }
  })
})

/** Each session is of the key that it is sent under, and ends no earlier than it starts. */
function expectSessions(records: readonly { readonly key: string; readonly value: string }[]): void {
  expect(records.length).toBeGreaterThan(0)
  for (const { key, value } of records) {
    const session = JSON.parse(value) as { readonly key: string; readonly start: number; readonly end: number }
    expect(key).toMatch(/^k\d+$/)
    expect(session.key).toBe(key)
    expect(session.end).toBeGreaterThanOrEqual(session.start)
  }
}

/** Whether a running application has written a session: its log has one writer, but its files can be read by all. */
async function hasSession(log: string): Promise<boolean> {
  const files = await readdir(log).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    return []
  })
  const texts = await Promise.all(
    files.filter((file) => file.endsWith('.log')).map((file) => readFile(join(log, file), 'latin1')),
  )
  // In the topic itself: an open session stands in its store's changelog, and looks alike.
  return texts.some((text) => /(?<![\w-])sessions(?![\w-])[\s\S]{0,120}?"start":\d+,"end":\d+/.test(text))
}
