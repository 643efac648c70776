import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { expect, test } from '../support/test.js'

const DESCRIPTION = `Topologies:
   Sub-topology: 0
    Source: KSTREAM-SOURCE-0000000000 (topics: [orders])
      --> KSTREAM-KEY-SELECT-0000000001
    Processor: KSTREAM-KEY-SELECT-0000000001 (stores: [])
      --> KSTREAM-FILTER-0000000005
      <-- KSTREAM-SOURCE-0000000000
    Processor: KSTREAM-FILTER-0000000005 (stores: [])
      --> KSTREAM-SINK-0000000004
      <-- KSTREAM-KEY-SELECT-0000000001
    Sink: KSTREAM-SINK-0000000004 (topic: totals-repartition)
      <-- KSTREAM-FILTER-0000000005

  Sub-topology: 1
    Source: KSTREAM-SOURCE-0000000006 (topics: [totals-repartition])
      --> sum
    Processor: sum (stores: [totals])
      --> KSTREAM-SINK-0000000007
      <-- KSTREAM-SOURCE-0000000006
    Sink: KSTREAM-SINK-0000000007 (topic: totals-by-user)
      <-- sum

`

test('A pasted TopologyDescription becomes a project that runs; a bad one is told of with its line', async ({
  designer,
  page,
}) => {
  await page.getByRole('button', { name: 'Paste a TopologyDescription' }).click()
  const dialog = page.getByRole('dialog', { name: 'Import' })
  const text = dialog.getByRole('textbox')
  const make = dialog.getByRole('button', { name: 'Make a project of it' })
  await text.fill(DESCRIPTION.replace('--> sum', '--> some'))
  await expect(dialog.getByRole('status')).toContainText('Line 15: "KSTREAM-SOURCE-0000000006" leads to "some"')
  await expect(make).toBeDisabled()
  await text.fill(DESCRIPTION)
  await expect(dialog.getByRole('status')).toContainText('A TopologyDescription of 5 nodes.')
  await make.click()
  for (const node of ['orders', 'key-select-1', 'to-totals', 'sum', 'totals-by-user'])
    await expect(designer.node(node)).toBeVisible()
  await designer.run()
  await expect(page.getByRole('status').filter({ hasText: /^Running$/ })).toBeVisible()
  await designer.stop()
})

test('The drawing goes home as a diagram and as pictures', async ({ designer, page }) => {
  await designer.openFirstExample()
  const mermaid = (await exported(page, 'Mermaid')).toString()
  expect(mermaid).toMatch(/^---\ntitle: "sessionize"\n---\nflowchart LR\n/)
  expect(mermaid).toContain('"sessionize<br/>timer processor"')
  const svg = (await exported(page, 'Drawing')).toString()
  expect(svg).toMatch(/^<svg /)
  expect(svg).toContain('>sessionize</text>')
  expect(svg).toContain('@font-face')
  expect(svg).not.toContain('var(--')
  const png = await exported(page, 'Image')
  expect(png.subarray(1, 4).toString()).toBe('PNG')
  expect(png.readUInt32BE(16)).toBeGreaterThan(500)
})

async function exported(page: Page, form: string): Promise<Buffer> {
  await page.getByRole('button', { name: 'Export', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Export' })
  await dialog.getByRole('radio', { name: new RegExp(`^${form}`) }).check()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: /^Export \d+ KB$/ }).click(),
  ])
  return readFile(await download.path())
}
