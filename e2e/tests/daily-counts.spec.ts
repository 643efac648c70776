import type { Locator, Page } from '@playwright/test'
import type { Designer } from '../support/Designer.js'
import { expect, test } from '../support/test.js'

const STORE = 'per-day-store'

/** Step 9: one record from the far future, and what it would take. */
test.describe('A record ten years ahead of a windowed count', () => {
  test.beforeEach(({ designer }) => designer.openExample('Daily counts'))

  test('is rejected by the guard, and listed with what it would have expired', async ({ designer, page }) => {
    await designer.run()
    const segments = await filledStrip(designer, page)
    await sendAhead(segments)
    const rejected = segments.getByRole('list', { name: 'Rejected records' })
    await expect(rejected).toContainText('Rejected')
    await expect(rejected).toContainText(`would have expired ${STORE}`)
    await expect(rejected).toContainText(/would have refused records of/)
    await designer.stop()
  })

  test('is told of before it is sent', async ({ designer, page }) => {
    await designer.run()
    const segments = await filledStrip(designer, page)
    const whatIf = segments.getByRole('region', { name: 'What if' })
    await whatIf.getByRole('button', { name: '10 years ahead' }).click()
    await expect(whatIf).toContainText(STORE)
    await expect(whatIf).toContainText(/segments? expires?/)
    await expect(whatIf).toContainText('reject')
    await designer.stop()
  })

  test('expires every segment with the guard off, and is named as the one that did', async ({ designer, page }) => {
    await designer.run(/future guard off/)
    const segments = await filledStrip(designer, page)
    await sendAhead(segments)
    const expired = segments.getByRole('list', { name: 'Expired segments' }).getByRole('listitem')
    const byIt = expired.filter({ hasText: /timestamp 20[3-9]\d-/ }).first()
    await expect(byIt).toContainText(/[2-9] segments expired/)
    await expect(byIt).toContainText(/by orders-\d @ [\d,.]+/)
    await expect(byIt).toContainText(STORE)
    await designer.stop()
  })
})

/** What a record from the future leaves behind: everything after it is late. */
test('A node that drops what it gets is marked, and leads to a record that it dropped', async ({ designer, page }) => {
  await designer.openExample('Daily counts')
  await designer.run(/future guard off/)
  const segments = await filledStrip(designer, page)
  await sendAhead(segments)
  await page.getByRole('button', { name: /^per-day drops \d+ %: \w+\. Show the dropped records$/ }).click()
  const log = await designer.tab('Log')
  await expect(log.getByRole('list', { name: 'Log' })).toContainText(/\d records? dropped/)
  const dropped = page.getByRole('region', { name: 'Dropped here' })
  await expect(dropped).toContainText(/\d+ % of what came in the last 10 s/)
  await dropped
    .getByRole('button', { name: /^orders-\d @ [\d,]+$/ })
    .first()
    .click()
  await expect(page.getByRole('table', { name: 'Records of the topic' })).toBeVisible()
  await designer.stop()
})

test('A second run says what it restored', async ({ designer, page }) => {
  await designer.openExample('Daily counts')
  await designer.run()
  await filledStrip(designer, page)
  await designer.stop()
  await designer.run()
  await expect(page.getByRole('region', { name: 'Run', exact: true })).toContainText(
    /Restored[\d,]+ records?, [\d.]+ \w+Into\d stores? in/,
  )
  await designer.stop()
})

/** Its traffic plays the past: started again, it goes on from where it was. */
test.describe('The traffic of an example, run again', () => {
  test.beforeEach(({ designer }) => designer.openExample('Daily counts'))

  test('goes on in time, and nothing comes late, also from the beginning', async ({ designer, page }) => {
    test.setTimeout(300_000)
    for (const choice of [undefined, undefined, /from the beginning/]) {
      await designer.run(choice)
      await expectCounted(designer, page)
      await designer.stop()
      const log = await designer.tab('Log')
      await expect(log.getByRole('region', { name: 'Dropped records' })).toContainText('None.')
    }
  })
})

/** Counts reach the sink, so records of this run were taken. */
async function expectCounted(designer: Designer, page: Page): Promise<void> {
  const records = await designer.tab('Records')
  await expect(records).toBeVisible()
  const rows = page.getByRole('table', { name: 'Sampled records' }).getByRole('row')
  await expect(rows.filter({ hasText: 'per-day → daily-counts' }).nth(5)).toBeVisible({ timeout: 120_000 })
}

/** The strip of the store's segments, once the traffic has filled more than one of them. */
async function filledStrip(designer: Designer, page: Page): Promise<Locator> {
  const segments = await designer.tab('Segments')
  await expect(page.getByRole('group', { name: 'Segments on event time' })).toBeVisible({ timeout: 120_000 })
  const strip = segments.getByRole('list', { name: `Segments of ${STORE}` }).getByRole('listitem')
  await expect(strip.nth(1)).toBeVisible({ timeout: 120_000 })
  return segments
}

async function sendAhead(segments: Locator): Promise<void> {
  await segments.getByRole('button', { name: '10 years ahead' }).click()
  await segments.getByRole('button', { name: 'Send it for real' }).click()
  await expect(segments.getByRole('form', { name: 'Send this record' })).toContainText(/Sent as orders-\d/)
}
