import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { createProject, drag, rename, wire } from '../support/drawing.js'
import { ProjectFolder } from '../support/ProjectFolder.js'
import { expect, test } from '../support/test.js'

const PROJECT = 'orders-per-shop'

interface SavedDocument {
  readonly nodes: readonly {
    readonly id: string
    readonly name: string
    readonly kind: string
    readonly properties: {
      readonly topics?: readonly string[]
      readonly topic?: string
      readonly code?: { readonly module: string; readonly export: string }
    }
  }[]
  readonly edges: readonly { readonly from: string; readonly to: string }[]
}

/** Step 7: a topology from an empty canvas to a folder that a team keeps in git. */
test('A topology is drawn, wired, declared, written and saved as a folder', async ({ designer, page, agent }) => {
  await createProject(page, PROJECT)

  await drag(page, designer, 'Topic source', 0.15)
  await drag(page, designer, 'Timer processor', 0.45)
  await drag(page, designer, 'Topic sink', 0.75)
  const [source, processor, sink] = await nodeNames(page)

  await wire(page, designer, source, processor)
  await wire(page, designer, processor, sink)

  await rename(designer, source, 'orders')
  let panel = await designer.select('orders')
  await panel.getByLabel('Topics').fill('orders')
  await panel.getByLabel('Key', { exact: true }).selectOption({ label: 'Serde: reads and writes' })
  await panel.getByLabel('Key serde', { exact: true }).selectOption({ label: 'String' })
  await expect(panel.getByLabel('Key type')).toHaveValue('string')

  await rename(designer, sink, 'shops')
  panel = await designer.select('shops')
  await panel.getByLabel('Topic', { exact: true }).fill('shops')
  await panel.getByLabel('Key', { exact: true }).selectOption({ label: 'String' })
  await panel.getByLabel('Value', { exact: true }).selectOption({ label: 'JSON' })

  await rename(designer, processor, 'per-shop')
  panel = await designer.select('per-shop')
  const open = panel.getByRole('button', { name: /^(Open|Write) .*\.ts$/ })
  const [, file = ''] = /(?:Open|Write) (?:src\/)?(\S+\.ts)/.exec((await open.textContent()) ?? '') ?? []
  await open.click()
  await typeWithCompletion(page)

  await expect(designer.saved).toBeVisible()
  await expectFolder(new ProjectFolder(join(agent.folder, PROJECT)), file)
})

/** In the order in which they were added, as the outline lists them. */
async function nodeNames(page: Page): Promise<[string, string, string]> {
  const items = page.getByRole('tree', { name: 'Nodes' }).getByRole('treeitem')
  await expect(items).toHaveCount(3)
  const names = await items.evaluateAll((all) => all.map((item) => item.textContent?.trim() ?? ''))
  return names as [string, string, string]
}

/** Types into `process`: the engine's own names are offered, and what is chosen compiles. */
async function typeWithCompletion(page: Page): Promise<void> {
  const code = page.getByRole('region', { name: 'Code' })
  const editor = code.getByRole('textbox')
  await expect(editor).toContainText('implements Processor')
  await editor.getByText('return ctx.forward(record)').click()
  await page.keyboard.press('Home')
  await page.keyboard.type('const shop = record.k')
  await page.keyboard.press('Control+Space')
  await page.getByRole('option', { name: /^key/ }).first().click()
  await page.keyboard.type('\nconsole.info(shop, ctx.eventTi')
  await page.keyboard.press('Control+Space')
  await page
    .getByRole('option', { name: /^eventTime/ })
    .first()
    .click()
  await page.keyboard.type(')\n')
  await expect(code.getByRole('status')).toHaveText(/Compiles/, { timeout: 120_000 })
}

async function expectFolder(folder: ProjectFolder, file: string): Promise<void> {
  const document = await folder.json<SavedDocument>('topology.json')
  const named = (name: string) => document.nodes.find((node) => node.name === name)
  expect(named('orders')?.properties.topics).toEqual(['orders'])
  expect(named('shops')?.properties.topic).toBe('shops')
  expect(document.edges.map(({ from, to }) => [from, to])).toEqual([
    [named('orders')?.id, named('per-shop')?.id],
    [named('per-shop')?.id, named('shops')?.id],
  ])
  expect(await folder.files()).toContain(`src/${file}`)
  const text = await folder.text(`src/${file}`)
  expect(text).toContain('const shop = record.key\n')
  expect(text).toContain('console.info(shop, ctx.eventTime)')
}
