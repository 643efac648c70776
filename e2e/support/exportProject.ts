import { expect, type Page } from '@playwright/test'
import type { Designer } from './Designer.js'
import { ExportedProject } from './ExportedProject.js'

/** Exports the open project by its button, and unpacks what comes. */
export async function exportProject(designer: Designer, page: Page): Promise<ExportedProject> {
  await page.getByRole('button', { name: 'Export', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Export' })
  const download = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Export project' }).click()
  const zip = await (await download).path()
  await expect(designer.canvas).toBeVisible()
  return ExportedProject.unpack(zip)
}
