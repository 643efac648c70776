import { fileURLToPath } from 'node:url'
import type { Page } from '@playwright/test'
import { expect, test } from '../support/test.js'

async function picture(page: Page, name: string): Promise<void> {
  // Nothing may look pressed or hovered that a reader did not press.
  await page.mouse.move(0, 0)
  await page.screenshot({ path: fileURLToPath(new URL(`../../docs/images/${name}.png`, import.meta.url)) })
}

test('finding.png: the warning before anything runs, with its proof', async ({ designer, page }) => {
  await designer.openFirstExample()
  await designer.mark('sessionize').click()
  await expect(designer.finding.getByRole('img', { name: /^Byte proof/ })).toBeVisible()
  await expect(designer.finding.getByRole('img', { name: /^Removes/ })).toBeVisible()
  await picture(page, 'finding')
})

test('stopped.png: the run, stopped at the first proven split', async ({ designer, page }) => {
  await designer.openFirstExample()
  await designer.run()
  await expect(designer.fatal).toBeVisible({ timeout: 40_000 })
  await picture(page, 'stopped')
})

test('lanes.png: the race itself, with the guard on warn', async ({ designer, page }) => {
  await designer.openFirstExample()
  await designer.run(/guard on warn/)
  await designer.tab('Lanes')
  const split = page.getByRole('region', { name: 'Split of k0', exact: true })
  await expect(split).toContainText(/firings? on lane 6/, { timeout: 60_000 })
  await picture(page, 'lanes')
  await designer.stop()
})

test('fixed.png: after the fix sessions come out', async ({ designer, page }) => {
  await designer.openFirstExample()
  await designer.mark('sessionize').click()
  await designer.finding.getByRole('button', { name: /^Declare Consumed\.with\(json/ }).click()
  await expect(designer.mark('sessionize')).toBeHidden()
  await designer.run()
  const records = await designer.tab('Records')
  await records.getByRole('textbox', { name: 'Follow a key' }).fill('k0', { timeout: 40_000 })
  const rows = page.getByRole('table', { name: 'Sampled records' }).getByRole('row')
  await expect(rows.filter({ hasText: '"events":' }).first()).toBeVisible({ timeout: 60_000 })
  await picture(page, 'fixed')
  await designer.stop()
})

test('segments.png: what one record ten years ahead would take', async ({ designer, page }) => {
  await designer.openExample('Daily counts')
  await designer.run()
  const segments = await designer.tab('Segments')
  const strip = segments.getByRole('list', { name: /^Segments of / }).getByRole('listitem')
  await expect(strip.nth(1)).toBeVisible({ timeout: 60_000 })
  await segments.getByRole('button', { name: '10 years ahead' }).click()
  await segments.getByRole('button', { name: 'Send it for real' }).click()
  await expect(segments.getByRole('list', { name: 'Rejected records' })).toContainText('would have expired', {
    timeout: 30_000,
  })
  await picture(page, 'segments')
  await designer.stop()
})
