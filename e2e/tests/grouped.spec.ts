import type { Page } from '@playwright/test'
import type { Designer } from '../support/Designer.js'
import { addAfter, addFree, createProject, fit, rename, setClock, wire, writeCode } from '../support/drawing.js'
import { exportProject } from '../support/exportProject.js'
import { expectInTopic, type Fed, feed, logOf, openTopics, produce, writtenTo } from '../support/feeding.js'
import { expect, test } from '../support/test.js'
import { readTopic } from '../support/topics.js'

/** In this order: what is looked up is there before what looks it up. */
const ORDERS: readonly Fed[] = [
  ['countries', 'a', { type: 'Norway' }],
  ['users', 'vip-1', { type: 'Ada' }],
  ['orders', 'a', { type: 'vip-1' }],
  ['orders', 'b', { type: 'plain' }],
]

const BRANCH = `import type { Event } from './model.js'

export const matches = (_key: string | null, order: Event | null) => order?.type.startsWith('vip') === true
`
const FOREIGN = `import type { Event } from './model.js'

export const foreignKey = (order: Event) => order.type
export const foreignJoin = (order: Event, user: Event): Event => ({ type: \`\${order.type} is \${user.type}\` })
`
const LOOK_UP = `import type { Event } from './model.js'

export const tableKey = (key: string | null) => key
export const lookUp = (order: Event, country: Event): Event => ({ type: \`\${order.type} to \${country.type}\` })
`

/** The rest of what a user of Kafka Streams looks for in the palette. */
test('A split, its aggregates and look-ups by another key are drawn, run, exported and run again', async ({
  designer,
  page,
}) => {
  test.setTimeout(300_000)
  await createProject(page, 'split')
  await drawSplit(page, designer)
  await writeSplit(page, designer)

  await designer.run()
  await openTopics(page, designer)
  await produce(page, ORDERS)
  await expectInTopic(page, 'vips', [/vip-1 is Ada/])
  await expectInTopic(page, 'others', [/b.*1/])
  await expectInTopic(page, 'destinations', [/vip-1 to Norway/])
  await designer.stop()

  const project = await exportProject(designer, page)
  try {
    await project.npm('install', '--no-audit', '--no-fund')
    expect(await project.npm('test')).toMatch(/^# fail 0$/m)
    await feed(project, ORDERS)
    const app = project.start('start')
    await app.says(/Running on the embedded log/)
    const log = { 'embedded.log.dir': logOf(project) }
    await writtenTo(project, 'vips', 'others', 'destinations')
    await app.stop()
    expect(await readTopic(log, 'vips')).toEqual([{ key: 'a', value: '{"type":"vip-1 is Ada"}' }])
    expect(await readTopic(log, 'others')).toEqual([{ key: 'b', value: '1' }])
    expect(await readTopic(log, 'destinations')).toEqual([{ key: 'a', value: '{"type":"vip-1 to Norway"}' }])
  } finally {
    await project.remove()
  }
})

/** Two records of one window, one of another stream, and one hours later, by which the window is closed. */
const CLICKS: readonly Fed[] = [
  ['clicks', 'a', { type: 'click' }, '2026-01-01 12:00:00'],
  ['views', 'a', { type: 'view' }, '2026-01-01 12:05:00'],
  ['clicks', 'a', { type: 'click' }, '2026-01-01 12:10:00'],
  ['clicks', 'a', { type: 'click' }, '2026-01-01 18:00:00'],
]

test('Streams are aggregated together, and windows emit once, when they close', async ({ designer, page }) => {
  test.setTimeout(300_000)
  await createProject(page, 'together')
  await setClock(page, 'stream-time')
  await addSource(page, designer, 'Topic source', 'source', 'clicks')
  await addAfter(page, designer, 'clicks', 'Cogroup')
  await addSink(page, designer, 'cogroup', 'both')
  await addAfter(page, designer, 'clicks', 'Windowed count')
  const panel = await designer.select('count')
  await panel.getByLabel('Emit', { exact: true }).selectOption({ label: 'on window close' })
  await expect(designer.node('count')).toContainText('on close, 1 h')
  await addSink(page, designer, 'count', 'closed')
  await addSource(page, designer, 'Topic source', 'source', 'views')
  await page.keyboard.press('Escape')
  await fit(page, designer)
  await wire(page, designer, 'views', 'cogroup')
  const streams = (await designer.select('cogroup')).getByRole('region', { name: 'Streams' })
  await expect(streams.getByRole('group')).toHaveText([/^clicks/, /^views/])
  await expect(designer.saved).toBeVisible()

  await designer.run()
  await openTopics(page, designer)
  await produce(page, CLICKS)
  await expectInTopic(page, 'both', [/a.*4/])
  await expectInTopic(page, 'closed', [/a.*2/])
  await designer.stop()

  const project = await exportProject(designer, page)
  try {
    await project.npm('install', '--no-audit', '--no-fund')
    expect(await project.npm('test')).toMatch(/^# fail 0$/m)
    await feed(project, CLICKS)
    const app = project.start('start')
    await app.says(/Running on the embedded log/)
    await writtenTo(project, 'both', 'closed')
    await app.stop()
    const log = { 'embedded.log.dir': logOf(project) }
    expect((await readTopic(log, 'both')).at(-1)).toEqual({ key: 'a', value: '4' })
    const closed = await readTopic(log, 'closed')
    expect(closed).toHaveLength(1)
    expect(closed[0]?.key).toMatch(/^a/)
    expect(closed[0]?.value.endsWith('\u0002')).toBe(true)
  } finally {
    await project.remove()
  }
})

async function drawSplit(page: Page, designer: Designer): Promise<void> {
  await addSource(page, designer, 'Topic source', 'source', 'orders')
  await addAfter(page, designer, 'orders', 'Branch')
  await addAfter(page, designer, 'branch', 'Reduce')
  await addAfter(page, designer, 'reduce', 'Foreign-key join')
  await addSink(page, designer, 'foreign-join', 'vips')
  await addAfter(page, designer, 'branch', 'Aggregate')
  await addSink(page, designer, 'aggregate', 'others')
  await addAfter(page, designer, 'orders', 'Global table join')
  await addSink(page, designer, 'look-up', 'destinations')
  await addSource(page, designer, 'Table', 'table', 'users')
  await addSource(page, designer, 'Global table', 'global-table', 'countries')
  await page.keyboard.press('Escape')
  await fit(page, designer)
  await wire(page, designer, 'users', 'foreign-join')
  await wire(page, designer, 'countries', 'look-up')
  await expect(page.getByLabel('Edge from countries to look-up')).toBeAttached()
}

async function addSource(page: Page, designer: Designer, kind: string, base: string, name: string): Promise<void> {
  await addFree(page, designer, kind, base, name)
  const panel = await designer.select(name)
  await panel.getByLabel(/^Topics?$/).fill(name)
}

async function addSink(page: Page, designer: Designer, after: string, topic: string): Promise<void> {
  await addAfter(page, designer, after, 'Topic sink')
  await fit(page, designer)
  await rename(designer, 'sink', topic)
  const panel = await designer.select(topic)
  await panel.getByLabel('Topic', { exact: true }).fill(topic)
}

async function writeSplit(page: Page, designer: Designer): Promise<void> {
  const panel = await designer.select('branch')
  await expect(panel.getByLabel('Branch to reduce')).toHaveValue('matches')
  await expect(panel.getByLabel('Branch to aggregate')).toHaveValue('rest')
  await panel.getByRole('button', { name: 'Predicate: Open branch.ts' }).click()
  await writeCode(page, 'branch.ts', BRANCH)
  await writeCode(page, 'foreign-join.ts', FOREIGN)
  await writeCode(page, 'look-up.ts', LOOK_UP)
  const code = page.getByRole('region', { name: 'Code' })
  await expect(code.getByRole('status')).toHaveText(/Compiles/, { timeout: 60_000 })
  await expect(designer.saved).toBeVisible()
}
