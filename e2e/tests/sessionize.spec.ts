import type { Page } from '@playwright/test'
import type { Designer } from '../support/Designer.js'
import { expect, test } from '../support/test.js'

const KEY = 'k0'

/** Steps 2 to 5 of the main job: a race that is proven before it happens, and mended by one click. */
test.describe('A timer that would fire on another lane than its records', () => {
  test.beforeEach(({ designer }) => designer.openFirstExample())

  test('is warned of before anything runs, with its proof in bytes', async ({ designer }) => {
    await designer.mark('sessionize').click()
    const { finding } = designer
    await expect(finding).toContainText('timer-key-lane-affinity')
    await expect(finding.getByRole('combobox', { name: 'Sample key' })).toHaveValue(KEY)
    await expect(
      finding.getByRole('img', {
        name: /record bytes 22 6b 30 22 on lane 0, timer bytes 6b 30 on lane 6, .*on different lanes/,
      }),
    ).toBeVisible()
    // Both serdes, and where each comes from.
    await expect(finding).toContainText('unquoteKey')
    await expect(finding).toContainText('app.config.json')
    // The path that the key travels.
    await expect(designer.node('sessionize')).toContainText(`${KEY} records on lane 0`)
    await expect(designer.node('sessionize')).toContainText(`${KEY} timers on lane 6`)
  })

  test('comes with a warning of the future on the source, and its fix', async ({ designer, page }) => {
    await designer.mark('events').click()
    await expect(designer.finding).toContainText('future-timestamp')
    await designer.finding.getByRole('button', { name: 'Bound events to 1 h ahead' }).click()
    await expect(designer.mark('events')).toBeHidden()
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(designer.mark('events')).toBeVisible()
  })

  test('stops the run on the first proven split, on its node', async ({ designer, page }) => {
    await designer.run()
    await expect(designer.lane(0)).toBeVisible({ timeout: 30_000 })
    await expect(designer.fatal).toBeVisible({ timeout: 40_000 })
    await expect(designer.fatal).toContainText(`Proven split of ${KEY}`)
    await expect(designer.fatal).toContainText('TimerLaneAffinityException at sessionize')
    await expect(designer.fatal).toContainText('22 6b 30 22')
    await expect(designer.fatal).toContainText('6b 30')
    await expect(designer.node('sessionize')).toContainText(KEY)
    await expect(page.getByRole('status').filter({ hasText: 'Stopped by an error' })).toBeVisible()
  })

  test('goes on with the guard on warn: records on one lane, the timer on another', async ({ designer, page }) => {
    await runWithGuardOnWarn(page)
    await designer.tab('Lanes')
    const split = page.getByRole('region', { name: `Split of ${KEY}` })
    await expect(split).toBeVisible({ timeout: 40_000 })
    await expect(split).toContainText(/records? seen on lane 0/)
    await expect(split).toContainText(/firings? on lane 6/, { timeout: 30_000 })
    await designer.stop()
  })

  test('is mended by one click, and sessions come out', async ({ designer, page }) => {
    await designer.mark('sessionize').click()
    await designer.finding.getByRole('button', { name: /^Declare Consumed\.with\(json/ }).click()
    await expect(designer.mark('sessionize')).toBeHidden()
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(designer.mark('sessionize')).toBeVisible()
    await page.getByRole('button', { name: 'Redo' }).click()
    await expect(designer.mark('sessionize')).toBeHidden()
    await expect(designer.saved).toBeVisible()

    await designer.run()
    await expectSessions(designer, page)
    await expect(designer.fatal).toBeHidden()
    await designer.stop()
  })
})

async function runWithGuardOnWarn(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Run options' }).click()
  await page.getByRole('menuitem', { name: /guard on warn/ }).click()
}

/** A session of the key that split before stands in the topic that the sink writes. */
async function expectSessions(designer: Designer, page: Page): Promise<void> {
  const records = await designer.tab('Records')
  await records.getByRole('textbox', { name: 'Follow a key' }).fill(KEY)
  const rows = page.getByRole('table', { name: 'Sampled records' }).getByRole('row')
  await expect(rows.filter({ hasText: '"events":' }).first()).toBeVisible({ timeout: 40_000 })
}
