import { expect, type Locator, type Page } from '@playwright/test'
import type { Designer } from './Designer.js'

/** Makes an empty project, and opens it. */
export async function createProject(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Lanescope, open a project' }).click()
  const dialog = page.getByRole('dialog', { name: 'Open a project' })
  await dialog.getByLabel('Name of a new project').fill(name)
  await dialog.getByRole('button', { name: 'Create' }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByText('Nothing drawn yet')).toBeVisible()
}

/** Drags a kind from the palette to a place on the canvas, given as a share of its width. */
export async function drag(page: Page, designer: Designer, kind: string, across: number): Promise<void> {
  const box = await designer.canvas.boundingBox()
  if (box === null) throw new Error('There is no canvas')
  const targetPosition = { x: box.width * across, y: box.height / 2 }
  await page.getByRole('button', { name: kind, exact: true }).dragTo(designer.canvas, { targetPosition })
}

/** Draws a wire from one node's port to another's. */
export async function wire(page: Page, designer: Designer, from: string, to: string): Promise<void> {
  const start = await centre(designer.node(from).getByLabel(`Out of ${from}`))
  const end = await centre(designer.node(to).getByLabel(`Into ${to}`))
  await page.mouse.move(start.x, start.y)
  await page.mouse.down()
  await page.mouse.move((start.x + end.x) / 2, end.y, { steps: 5 })
  await page.mouse.move(end.x, end.y, { steps: 5 })
  await page.mouse.up()
  await expect(page.getByLabel(`Edge from ${from} to ${to}`)).toBeAttached()
}

async function centre(locator: Locator): Promise<{ readonly x: number; readonly y: number }> {
  const box = await locator.boundingBox()
  if (box === null) throw new Error(`There is no ${locator}`)
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
}

/** By the field of its panel. */
export async function rename(designer: Designer, from: string, to: string): Promise<void> {
  const panel = await designer.select(from)
  await panel.getByLabel('Name', { exact: true }).fill(to)
  await expect(designer.node(to)).toBeVisible()
}

/** By the "+" of a node, from the list of kinds. */
export async function addAfter(page: Page, designer: Designer, node: string, kind: string): Promise<void> {
  await designer.select(node)
  await page.getByRole('button', { name: `Add a node after ${node}` }).click()
  await page
    .getByRole('option', { name: new RegExp(`^${kind}`) })
    .first()
    .click()
}

/** By a click in the palette, below what is there, under a name of its own. */
export async function addFree(page: Page, designer: Designer, kind: string, base: string, name: string): Promise<void> {
  await page.getByRole('button', { name: kind, exact: true }).click()
  await expect(designer.node(base)).toBeVisible()
  await fit(page, designer)
  await rename(designer, base, name)
}

/** Brings all of the drawing into view. */
export async function fit(page: Page, designer: Designer): Promise<void> {
  await page.getByRole('button', { name: 'Fit', exact: true }).click()
  await expect(designer.canvas).toBeVisible()
}

/** Which time the run goes by. */
export async function setClock(page: Page, mode: string): Promise<void> {
  await page.keyboard.press('Control+k')
  await page.getByPlaceholder('Search or run').fill('Engine settings')
  await page.getByRole('option', { name: /^Engine settings/ }).click()
  const settings = page.getByRole('region', { name: 'Engine settings' })
  await settings.getByLabel('Clock').selectOption({ label: mode })
  await settings.getByRole('button', { name: 'Close the panel' }).click()
}

/** Puts a text in the place of all that stands in an open file, and waits until the compiler is content. */
export async function writeCode(page: Page, path: string, text: string): Promise<void> {
  const code = page.getByRole('region', { name: 'Code' })
  await code.getByRole('tab', { name: path, exact: true }).click()
  await code.getByRole('textbox').click()
  await page.keyboard.press('Control+a')
  await page.keyboard.insertText(text)
}
