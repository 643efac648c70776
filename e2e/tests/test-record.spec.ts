import { createProject } from '../support/drawing.js'
import { expect, test } from '../support/test.js'

const HOUR = 3_600_000

/** Its traffic runs six hours in the past. */
test('A test record goes in the time of its topic, and one of now says what it would take', async ({
  designer,
  page,
}) => {
  await designer.openExample('Shop')
  await designer.run()
  await designer.tab('Records')
  await page.getByRole('button', { name: 'Topics' }).click()
  const topics = page.getByRole('list', { name: 'Topics' })
  await topics.getByRole('button', { name: /^views/ }).click()
  const form = page.getByRole('form', { name: 'Produce to views' })
  const time = form.getByLabel('Timestamp')
  const ago = async () => Date.now() - Date.parse(`${(await time.inputValue()).replace(' ', 'T')}Z`)
  await expect.poll(ago).toBeGreaterThan(HOUR)
  await form.getByRole('button', { name: 'Produce' }).click()
  await expect(form).toContainText(/Sent as views-\d @/)
  const records = page.getByRole('table', { name: 'Records of the topic' })
  await expect(records.locator('[aria-current="true"]')).toHaveCount(1)
  await form.getByLabel('Which time').selectOption({ label: 'now' })
  await expect.poll(ago).toBeLessThan(HOUR)
  await expect(form).toContainText(/It moves the clocks on by \d h/)
  const written = topics.getByRole('button', { name: /^product-counts/ })
  await written.click()
  await expect(records.getByRole('row').nth(1)).toContainText(/coffee|tea|cocoa|mugs|filters/)
  const log = await designer.tab('Log')
  await expect(log.getByRole('region', { name: 'Dropped records' })).toContainText('None.')
  await designer.stop()
})

test('An empty drawing says why it cannot run, and a duration that is none stays with its reason', async ({
  designer,
  page,
}) => {
  await createProject(page, 'mine')
  await expect(designer.canvas).toBeVisible()
  // It is marked as disabled, and answers all the same.
  await page.getByRole('button', { name: 'Run', exact: true }).click({ force: true })
  await expect(page.getByText('There is nothing to run yet: add a source.')).toBeVisible()
  await page.keyboard.press('n')
  await page
    .getByRole('option', { name: /^Topic source|^Topic/ })
    .first()
    .click()
  const panel = page.getByRole('region', { name: /^Node source/ })
  const ahead = panel.getByLabel('Max ahead')
  await ahead.fill('5 minuts')
  await page.keyboard.press('Tab')
  await expect(ahead).toHaveValue('5 minuts')
  await expect(panel.getByRole('alert')).toContainText('A duration is a number and a unit')
  await ahead.press('Escape')
  await expect(ahead).toHaveValue('')
  await expect(panel.getByRole('alert')).toBeHidden()
})
