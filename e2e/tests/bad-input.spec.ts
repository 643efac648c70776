import { cp, mkdir } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { AgentProcess } from '../support/AgentProcess.js'
import { Designer } from '../support/Designer.js'
import { ProjectFolder } from '../support/ProjectFolder.js'
import { expect, test } from '../support/test.js'

const EXAMPLE = fileURLToPath(new URL('../../examples/sessionize', import.meta.url))

interface Node {
  kind: string
  name: string
  properties: { topics?: string[] }
}
interface Document {
  formatVersion: number
  nodes: Node[]
  edges: { id: string; from: string; to: string }[]
}

/** A project as a user has it on disk, to be spoilt. */
async function projectIn(agentFolder: string): Promise<ProjectFolder> {
  const path = join(agentFolder, 'mine')
  await mkdir(path, { recursive: true })
  await cp(EXAMPLE, path, { recursive: true })
  return new ProjectFolder(path)
}

test.describe('A topology document', () => {
  const spoilt: readonly (readonly [what: string, spoil: (text: string) => string, says: RegExp])[] = [
    ['that does not parse', (text) => text.replace('"nodes"', '"nodes'), /topology\.json.*(line|:)\s*\d+/s],
    ['of a newer version', (text) => text.replace('"formatVersion": 1', '"formatVersion": 99'), /newer version.*99/s],
    ['with an unknown kind of node', (text) => text.replace('"kind": "sink"', '"kind": "teapot"'), /teapot/],
    ['with a cycle', withCycle, /circle|loop|cycle/],
  ]
  for (const [what, spoil, says] of spoilt) {
    test(`${what} is named with its place, and never overwritten`, async ({ agent, designer, page }) => {
      const project = await projectIn(agent.folder)
      const text = spoil(await project.text('topology.json'))
      await project.write('topology.json', text)
      await page.reload()
      await page.getByRole('button', { name: 'Open a project', exact: true }).click()
      await page.getByRole('button', { name: 'Open mine', exact: true }).click()
      await expect(page.getByRole('status').or(page.getByRole('alert')).filter({ hasText: says }).first()).toBeVisible()
      await expect(designer.canvas).toBeHidden()
      expect(await project.text('topology.json')).toBe(text)
    })
  }
})

function withCycle(text: string): string {
  const document = JSON.parse(text) as Document
  const [first] = document.edges
  if (first) document.edges.push({ id: 'back', from: first.to, to: first.to })
  return `${JSON.stringify(document, null, 2)}\n`
}

test.describe('User code', () => {
  test('with a syntax error is marked on its node and line; the rest of the canvas works', async ({
    designer,
    page,
    agent,
  }) => {
    await designer.openFirstExample()
    await expect(designer.saved).toBeVisible()
    const project = new ProjectFolder(join(agent.folder, 'sessionize'))
    const text = await project.text('src/sessionize.ts')
    const broken = text.replace('open.end > GAP_MS)', 'open.end > )')
    const line = broken.split('\n').findIndex((one) => one.includes('open.end > )')) + 1
    await project.write('src/sessionize.ts', broken)
    const problems = await designer.tab('Problems')
    const row = problems.getByRole('listitem').filter({ hasText: `sessionize.ts:${line}` })
    await expect(row).toContainText('sessionize')
    await expect(designer.mark('sessionize').getByRole('img', { name: 'Error' })).toBeVisible()
    // The source keeps its own finding and its fix.
    await designer.mark('events').click()
    await designer.finding.getByRole('button', { name: 'Bound events to 1 h ahead' }).click()
    await expect(designer.mark('events')).toBeHidden()
    await row.getByRole('button', { name: 'Open the code' }).click()
    await expect(page.getByRole('region', { name: 'Code' })).toContainText(`Ln ${line}`)
  })

  test('that loops for ever costs its run, and no other thing', async ({ designer, page, agent }) => {
    test.setTimeout(300_000)
    await designer.openFirstExample()
    await expect(designer.saved).toBeVisible()
    const project = new ProjectFolder(join(agent.folder, 'sessionize'))
    const text = await project.text('src/sessionize.ts')
    const looping = text.replace('): void {', '): void {\n    for (;;) if (record.timestamp < 0) break')
    await project.write('src/sessionize.ts', looping)
    await page.getByRole('tab', { name: 'Code', exact: true }).click()
    await page.getByRole('tab', { name: 'sessionize.ts', exact: true }).click()
    await expect(page.getByRole('region', { name: 'Code' })).toContainText('for (;;)')
    await designer.run()
    await expect(designer.fatal).toContainText(/loop|respond/, { timeout: 120_000 })
    await designer.mode('Design')
    await expect(designer.mark('sessionize')).toBeVisible()
  })
})

test.describe('Where something is missing, one line says what to do', () => {
  test('a port in use', async () => {
    const taken = createServer()
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
    try {
      const { port } = taken.address() as { readonly port: number }
      const { said, code } = await AgentProcess.refused(['--port', String(port)])
      expect(code).not.toBe(0)
      expect(said.trim().split('\n')).toHaveLength(1)
      expect(said).toContain(String(port))
      expect(said).toContain('--port')
    } finally {
      taken.close()
    }
  })

  test('a broker that does not answer', async ({ page }) => {
    const agent = await AgentProcess.start({ args: ['--bootstrap-servers', '127.0.0.1:1'] })
    try {
      const designer = new Designer(page)
      await designer.open(agent.url)
      await designer.openFirstExample()
      await designer.run()
      const said = page.getByRole('alert').filter({ hasText: '127.0.0.1:1' }).first()
      await expect(said).toBeVisible({ timeout: 120_000 })
    } finally {
      await agent.stop()
    }
  })
})
