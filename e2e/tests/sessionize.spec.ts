import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from '@playwright/test'
import type { AgentProcess } from '../support/AgentProcess.js'
import type { Designer } from '../support/Designer.js'
import { bothEncodings, hex, laneOf } from '../support/lanes.js'
import { ProjectFolder } from '../support/ProjectFolder.js'
import { renameProject } from '../support/renameProject.js'
import { expect, test } from '../support/test.js'

const EXAMPLE = fileURLToPath(new URL('../../examples/sessionize', import.meta.url))

/** What the story is told about. */
interface Told {
  readonly source: string
  readonly processor: string
  readonly key: string
  readonly lanes: number
}

const tellings: readonly (readonly [of: string, open: (designer: Designer, agent: AgentProcess) => Promise<Told>])[] = [
  ['of the example, as it comes', openAsItComes],
  ['of the example, with every name changed and 5 lanes', openRenamed],
]

async function openAsItComes(designer: Designer): Promise<Told> {
  await designer.openFirstExample()
  return { source: 'events', processor: 'sessionize', key: 'k0', lanes: 8 }
}

async function openRenamed(designer: Designer, agent: AgentProcess): Promise<Told> {
  const project = new ProjectFolder(join(agent.folder, 'renamed'))
  await cp(EXAMPLE, project.path, { recursive: true })
  const { nodes, key, lanes } = await renameProject(project, 5)
  await designer.page.reload()
  await designer.openProject('renamed')
  const [source = '', processor = ''] = nodes
  return { source, processor, key, lanes }
}

/** Steps 2 to 5 of the main job: a race that is proven before it happens, and mended by one click. */
for (const [of, open] of tellings) {
  test.describe(`A timer that would fire on another lane than its records: the story ${of}`, () => {
    let told: Told
    test.beforeEach(async ({ designer, agent }) => {
      told = await open(designer, agent)
    })

    test('is warned of before anything runs, with its proof in bytes', async ({ designer }) => {
      const { processor, key } = told
      const { record, timer } = lanesOf(told)
      await designer.mark(processor).click()
      const { finding } = designer
      await expect(finding).toContainText('timer-key-lane-affinity')
      await expect(finding.getByRole('combobox', { name: 'Sample key' })).toHaveValue(key)
      const proof = `record bytes ${record.bytes} on lane ${record.lane}, timer bytes ${timer.bytes} on lane ${timer.lane}`
      await expect(finding.getByRole('img', { name: `at ${told.lanes} lanes: ${proof}` })).toBeVisible()
      // Both serdes, and where each comes from.
      await expect(finding).toContainText('unquoteKey')
      await expect(finding).toContainText('app.config.json')
      // The path that the key travels.
      await expect(designer.node(processor)).toContainText(`${key} records on lane ${record.lane}`)
      await expect(designer.node(processor)).toContainText(`${key} timers on lane ${timer.lane}`)
    })

    test('comes with a warning of the future on the source, and its fix', async ({ designer, page }) => {
      await designer.mark(told.source).click()
      await expect(designer.finding).toContainText('future-timestamp')
      await designer.finding.getByRole('button', { name: `Bound ${told.source} to 1 h ahead` }).click()
      await expect(designer.mark(told.source)).toBeHidden()
      await page.getByRole('button', { name: 'Undo' }).click()
      await expect(designer.mark(told.source)).toBeVisible()
    })

    test('stops the run on the first proven split, on its node', async ({ designer, page }) => {
      const { record, timer } = lanesOf(told)
      await designer.run()
      await expect(designer.lane(0)).toBeVisible({ timeout: 120_000 })
      await expect(designer.fatal).toBeVisible({ timeout: 120_000 })
      await expect(designer.fatal).toContainText(`Proven split of ${told.key}`)
      await expect(designer.fatal).toContainText(`TimerLaneAffinityException at ${told.processor}`)
      await expect(designer.fatal.getByRole('img', { name: `Record bytes ${record.bytes}`, exact: true })).toBeVisible()
      await expect(designer.fatal.getByRole('img', { name: `Timer bytes ${timer.bytes}`, exact: true })).toBeVisible()
      await expect(designer.fatal).toContainText(`lane ${record.lane}`)
      await expect(designer.fatal).toContainText(`lane ${timer.lane}`)
      await expect(designer.node(told.processor)).toContainText(told.key)
      await expect(page.getByRole('status').filter({ hasText: 'Stopped by an error' })).toBeVisible()
    })

    test('goes on with the guard on warn: records on one lane, the timer on another', async ({ designer, page }) => {
      const { record, timer } = lanesOf(told)
      await designer.run(/guard on warn/)
      await designer.tab('Lanes')
      const split = page.getByRole('region', { name: `Split of ${told.key}`, exact: true })
      await expect(split).toBeVisible({ timeout: 120_000 })
      await expect(split).toContainText(new RegExp(`records? seen on lane ${record.lane}`))
      await expect(split).toContainText(new RegExp(`firings? on lane ${timer.lane}`), { timeout: 120_000 })
      await designer.stop()
    })

    test('is mended by one click, and sessions come out', async ({ designer, page }) => {
      await designer.mark(told.processor).click()
      await designer.finding.getByRole('button', { name: /^Declare Consumed\.with\(json/ }).click()
      await expect(designer.mark(told.processor)).toBeHidden()
      await page.getByRole('button', { name: 'Undo' }).click()
      await expect(designer.mark(told.processor)).toBeVisible()
      await page.getByRole('button', { name: 'Redo' }).click()
      await expect(designer.mark(told.processor)).toBeHidden()
      await expect(designer.saved).toBeVisible()

      await designer.run()
      await expectSessions(designer, page, told.key)
      await expect(designer.fatal).toBeHidden()
      await designer.stop()
    })
  })
}

function lanesOf({ key, lanes }: Told) {
  const { quoted, plain } = bothEncodings(key)
  return {
    record: { bytes: hex(quoted), lane: laneOf(quoted, lanes) },
    timer: { bytes: hex(plain), lane: laneOf(plain, lanes) },
  }
}

/** A session of the key that split before leaves the processor. */
async function expectSessions(designer: Designer, page: Page, key: string): Promise<void> {
  const records = await designer.tab('Records')
  await records.getByRole('textbox', { name: 'Follow a key' }).fill(key, { timeout: 120_000 })
  const rows = page.getByRole('table', { name: 'Sampled records' }).getByRole('row')
  await expect(rows.filter({ hasText: '"events":' }).first()).toBeVisible({ timeout: 120_000 })
}
