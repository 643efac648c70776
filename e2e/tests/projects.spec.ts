import { Designer } from '../support/Designer.js'
import { expect, test } from '../support/test.js'

/** A project as a whole: named, copied, thrown away and taken back, with another tab looking on. */
test('A project is renamed, copied, deleted and brought back, and a second tab is told', async ({
  agent,
  designer,
  page,
  context,
}) => {
  await designer.openFirstExample()
  const second = new Designer(await context.newPage())
  await second.open(agent.url)
  await second.openProject('sessionize')

  await command(designer, 'Rename the project')
  const rename = page.getByRole('dialog', { name: 'Rename the project' })
  await rename.getByRole('textbox', { name: 'New name of sessionize' }).fill('visits')
  await rename.getByRole('button', { name: 'Rename', exact: true }).click()
  for (const tab of [designer, second]) {
    await expect(tab.page.getByRole('button', { name: 'visits / sessionize' }).or(named(tab, 'visits'))).toBeVisible()
    await expect(tab.node('sessionize')).toBeVisible()
  }

  await command(designer, 'Duplicate the project')
  await expect(named(designer, 'visits-2')).toBeVisible()

  await command(designer, 'Open a project')
  const list = page.getByRole('dialog', { name: 'Open a project' })
  await list.getByRole('button', { name: 'More for visits', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Delete…' }).click()
  const question = list.getByRole('group', { name: 'Delete visits' })
  await expect(question).toContainText('.trash')
  await question.getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(second.page.getByText('“visits” was deleted in another tab')).toBeVisible()
  await expect(second.page.getByRole('region', { name: 'Start a topology' })).toBeVisible()

  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Undo', exact: true }).last().click()
  await expect(page.getByText('“visits” is back.')).toBeVisible()
  await second.openProject('visits')
  await expect(second.node('sessionize')).toBeVisible()
})

test('A project that runs is not deleted', async ({ designer, page }) => {
  await designer.openExample('Daily counts')
  await designer.run()
  await command(designer, 'Delete the project')
  const dialog = page.getByRole('dialog', { name: 'Delete the project' })
  await expect(dialog).toContainText('It is running; stop it first.')
  await expect(dialog.getByRole('button', { name: 'Delete', exact: true })).toBeDisabled()
  await page.keyboard.press('Escape')
  await designer.stop()
})

async function command({ page }: Designer, name: string): Promise<void> {
  await page.keyboard.press('Control+K')
  await page.getByRole('combobox').fill(name)
  await page
    .getByRole('option', { name: new RegExp(`^${name}`) })
    .first()
    .click()
}

const named = ({ page }: Designer, id: string) =>
  page.getByTitle('Open another project (Ctrl O)').filter({ hasText: new RegExp(`^${id}/`) })
