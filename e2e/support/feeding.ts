import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { SystemClock } from '@lanescope/core'
import { openLog } from '@lanescope/node'
import { expect, type Page } from '@playwright/test'
import type { Designer } from './Designer.js'
import type { ExportedProject } from './ExportedProject.js'

/** A test record: to which topic, under which key, of which value, and when, where that matters. */
export type Fed = readonly [topic: string, key: string, value: object, time?: string]

/** Opens the topics of the run that is on. */
export async function openTopics(page: Page, designer: Designer): Promise<void> {
  await designer.tab('Records')
  await page.getByRole('button', { name: 'Topics' }).click()
}

/** Produces records by the form of their topics, one after the other. */
export async function produce(page: Page, records: readonly Fed[]): Promise<void> {
  for (const [topic, key, value, time] of records) {
    await openTopic(page, topic)
    const form = page.getByRole('form', { name: `Produce to ${topic}` })
    await form.getByLabel('Key', { exact: true }).fill(key)
    await form.getByLabel('Value', { exact: true }).fill(JSON.stringify(value))
    if (time !== undefined) await form.getByLabel('Timestamp').fill(time)
    await form.getByRole('button', { name: 'Produce' }).click()
    await expect(form).toContainText(new RegExp(`Sent as ${topic}-\\d @`))
  }
}

/** Waits until the records of a topic have all of these texts among them. */
export async function expectInTopic(page: Page, topic: string, texts: readonly RegExp[]): Promise<void> {
  await openTopic(page, topic)
  const table = page.getByRole('table', { name: 'Records of the topic' })
  await expect(async () => {
    await page.getByRole('button', { name: 'Read again' }).click()
    for (const text of texts) await expect(table).toContainText(text, { timeout: 500 })
  }).toPass({ timeout: 30_000 })
}

async function openTopic(page: Page, topic: string): Promise<void> {
  const list = page.getByRole('list', { name: 'Topics' })
  await list.getByTitle(topic, { exact: true }).click()
}

/** The folder of the log that an exported project runs on. */
export function logOf(project: ExportedProject): string {
  return join(project.folder, '.lanescope', 'log')
}

/** Puts records into the log of an exported project that does not run yet, as another program would have. */
export async function feed(project: ExportedProject, records: readonly Fed[]): Promise<void> {
  const log = await openLog({ 'embedded.log.dir': logOf(project) }, { clock: new SystemClock() })
  const utf8 = (text: string) => new TextEncoder().encode(text)
  try {
    for (const topic of new Set(records.map(([name]) => name))) await log.createTopic(topic, 4)
    await log.append(
      records.map(([topic, key, value, time]) => ({
        topic,
        partition: -1,
        key: utf8(key),
        value: utf8(JSON.stringify(value)),
        headers: [],
        timestamp: time === undefined ? Date.now() : Date.parse(`${time.replace(' ', 'T')}Z`),
      })),
    )
  } finally {
    await log.close()
  }
}

/** Waits until a project that runs has written to each of these topics. */
export async function writtenTo(project: ExportedProject, ...topics: readonly string[]): Promise<void> {
  for (const topic of topics) {
    // Once as a topic that is made, once as one that is written.
    await expect.poll(() => timesNamed(logOf(project), topic), { timeout: 60_000 }).toBeGreaterThan(1)
  }
}

async function timesNamed(folder: string, topic: string): Promise<number> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.log'))
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'latin1')))
  return texts.reduce((sum, text) => sum + text.split(topic).length - 1, 0)
}
