import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { SystemClock } from '@lanescope/core'
import { openLog } from '@lanescope/node'
import type { Page } from '@playwright/test'
import type { Designer } from '../support/Designer.js'
import { createProject, drag, rename, wire } from '../support/drawing.js'
import type { ExportedProject } from '../support/ExportedProject.js'
import { exportProject } from '../support/exportProject.js'
import { expect, test } from '../support/test.js'
import { readTopic } from '../support/topics.js'

const TOPIC = 'calls-of-sessions'
/** Two records of one session, and one hours later, by which it is closed. */
const TIMES = ['2026-01-01 12:00:00', '2026-01-01 12:10:00', '2026-01-01 18:00:00']

/** What a user of Kafka Streams looks for in the palette, from an empty canvas to an application of its own. */
test('Sessions and their final results are drawn, run, exported and run again', async ({ designer, page }) => {
  test.setTimeout(300_000)
  await createProject(page, 'calls')
  await setClock(page, 'stream-time')
  await drawSessions(page, designer)

  await designer.run()
  await produce(page, designer)
  const records = await designer.tab('Records')
  await records
    .getByRole('button', { name: 'Samples' })
    .or(page.getByRole('button', { name: 'Samples' }))
    .first()
    .click()
  const rows = page.getByRole('table', { name: 'Sampled records' }).getByRole('row')
  const closed = rows.filter({ hasText: 'final-only → done' })
  await expect(closed).toHaveCount(1, { timeout: 120_000 })
  await expect(closed).toContainText(/a 12:00.*\+10 min.*2/)
  await designer.stop()

  const project = await exportProject(designer, page)
  try {
    await runExported(project)
  } finally {
    await project.remove()
  }
})

/** Two streams, one of them drawn last, and the sides of their join told apart. */
test('A join says what it still needs, and has its sides swapped in one step', async ({ designer, page }) => {
  await createProject(page, 'pairs')
  await drag(page, designer, 'Topic source', 0.15)
  await rename(designer, 'source', 'orders')
  await drag(page, designer, 'Stream join', 0.7)
  await wire(page, designer, 'orders', 'join')
  const problems = await designer.tab('Problems')
  await expect(problems).toContainText('Nothing leads into the right side of "join" yet')
  await designer.canvas.click({ position: { x: 20, y: 20 } })
  await page.getByRole('button', { name: 'Topic source', exact: true }).click()
  await rename(designer, 'source', 'payments')
  await wire(page, designer, 'payments', 'join')
  await expect(problems).not.toContainText('right side')
  const panel = await designer.select('join')
  const sides = panel.getByRole('region', { name: 'Sides' })
  await expect(sides).toContainText(/Left\s*orders\s*Right\s*payments/)
  await sides.getByRole('button', { name: 'Swap' }).click()
  await expect(sides).toContainText(/Left\s*payments\s*Right\s*orders/)
  await page.getByRole('button', { name: /^Undo/ }).click()
  await expect(sides).toContainText(/Left\s*orders\s*Right\s*payments/)
})

async function setClock(page: Page, mode: string): Promise<void> {
  await page.keyboard.press('Control+k')
  await page.getByPlaceholder('Search or run').fill('Engine settings')
  await page.getByRole('option', { name: /^Engine settings/ }).click()
  const settings = page.getByRole('region', { name: 'Engine settings' })
  await settings.getByLabel('Clock').selectOption({ label: mode })
  await settings.getByRole('button', { name: 'Close the panel' }).click()
}

async function drawSessions(page: Page, designer: Designer): Promise<void> {
  await drag(page, designer, 'Topic source', 0.1)
  await rename(designer, 'source', 'calls')
  const source = await designer.select('calls')
  await source.getByLabel('Topics').fill('calls')
  await addAfter(page, designer, 'calls', 'Session count')
  await addAfter(page, designer, 'sessions', 'Suppress')
  await addAfter(page, designer, 'final-only', 'Topic sink')
  await rename(designer, 'sink', 'done')
  const sink = await designer.select('done')
  await sink.getByLabel('Topic', { exact: true }).fill(TOPIC)
  await sink.getByLabel('Key', { exact: true }).selectOption({ label: 'String' })
  await sink.getByLabel('Value', { exact: true }).selectOption({ label: 'Long' })
  await expect(designer.saved).toBeVisible()
  await expect(page.getByLabel('Edge from final-only to done')).toBeAttached()
}

async function addAfter(page: Page, designer: Designer, node: string, kind: string): Promise<void> {
  await designer.select(node)
  await page.getByRole('button', { name: `Add a node after ${node}` }).click()
  await page.getByRole('option', { name: new RegExp(`^${kind}`) }).click()
}

async function produce(page: Page, designer: Designer): Promise<void> {
  await designer.tab('Records')
  await page.getByRole('button', { name: 'Topics' }).click()
  const form = page.getByRole('form', { name: 'Produce to calls' })
  for (const [index, time] of TIMES.entries()) {
    await form.getByLabel('Key', { exact: true }).fill('a')
    await form.getByLabel('Value', { exact: true }).fill('{"n":1}')
    await form.getByLabel('Timestamp').fill(time)
    await form.getByRole('button', { name: 'Produce' }).click()
    await expect(form).toContainText(new RegExp(`Sent as calls-\\d @ ${index}`))
  }
}

async function runExported(project: ExportedProject): Promise<void> {
  await project.npm('install', '--no-audit', '--no-fund')
  expect(await project.npm('test')).toMatch(/^# fail 0$/m)
  const folder = join(project.folder, '.lanescope', 'log')
  const log = await openLog({ 'embedded.log.dir': folder }, { clock: new SystemClock() })
  await log.createTopic('calls', 4)
  const utf8 = (text: string) => new TextEncoder().encode(text)
  const record = { topic: 'calls', partition: -1, key: utf8('a'), value: utf8('{"n":1}'), headers: [] }
  await log.append(TIMES.map((time) => ({ ...record, timestamp: Date.parse(`${time.replace(' ', 'T')}Z`) })))
  await log.close()
  const app = project.start('start')
  await app.says(/Running on the embedded log/)
  // Once as a topic that is made, once as one that is written.
  await expect.poll(() => timesNamed(folder, TOPIC), { timeout: 120_000 }).toBeGreaterThan(1)
  await app.stop()
  const [only, ...more] = await readTopic({ 'embedded.log.dir': folder }, TOPIC)
  expect(more).toEqual([])
  expect(only?.key).toMatch(/^a/)
  expect(only?.value.endsWith('\u0002')).toBe(true)
}

async function timesNamed(folder: string, topic: string): Promise<number> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.log'))
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'latin1')))
  return texts.reduce((sum, text) => sum + text.split(topic).length - 1, 0)
}
