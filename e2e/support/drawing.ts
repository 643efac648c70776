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
