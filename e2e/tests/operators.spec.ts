import type { Page } from '@playwright/test'
import type { Designer } from '../support/Designer.js'
import { addAfter, createProject, drag, rename, setClock, wire } from '../support/drawing.js'
import type { ExportedProject } from '../support/ExportedProject.js'
import { exportProject } from '../support/exportProject.js'
import { feed, logOf, openTopics, produce, writtenTo } from '../support/feeding.js'
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
  await openTopics(page, designer)
  await produce(
    page,
    TIMES.map((time) => ['calls', 'a', { n: 1 }, time]),
  )
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

async function runExported(project: ExportedProject): Promise<void> {
  await project.npm('install', '--no-audit', '--no-fund')
  expect(await project.npm('test')).toMatch(/^# fail 0$/m)
  await feed(
    project,
    TIMES.map((time) => ['calls', 'a', { n: 1 }, time]),
  )
  const app = project.start('start')
  await app.says(/Running on the embedded log/)
  await writtenTo(project, TOPIC)
  await app.stop()
  const [only, ...more] = await readTopic({ 'embedded.log.dir': logOf(project) }, TOPIC)
  expect(more).toEqual([])
  expect(only?.key).toMatch(/^a/)
  expect(only?.value.endsWith('\u0002')).toBe(true)
}
