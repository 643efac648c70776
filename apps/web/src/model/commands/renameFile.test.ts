import { describe, expect, it } from 'vitest'
import { emptyDocument, type Workspace } from '../Workspace.js'
import { renameFile } from './renameFile.js'

const workspace: Workspace = {
  document: {
    ...emptyDocument('test'),
    nodes: [
      {
        id: 'sum',
        name: 'sum',
        kind: 'processor',
        position: { x: 0, y: 0 },
        properties: { code: { module: './sum', export: 'Sum' }, timers: [], stores: [] },
      },
    ],
    stores: [
      {
        id: 's',
        name: 's',
        kind: 'key-value',
        key: { kind: 'built-in', name: 'string' },
        value: { kind: 'custom', code: { module: './sums', export: 'serde' } },
      },
    ],
  },
  files: {
    'sum.ts': 'export class Sum {}\n',
    'sums.ts': "import { Sum } from './sum.js'\nexport const text = './sum'\n",
    'deep/a.ts': 'import "../sum"\nexport * from "../summary"\n',
  },
  config: {},
}

describe('renameFile', () => {
  it('moves the text and every reference of nodes to it, and no other', () => {
    const renamed = renameFile(workspace, 'sum.ts', 'total.ts')
    expect(renamed.files['total.ts']).toBe('export class Sum {}\n')
    expect(renamed.files['sum.ts']).toBeUndefined()
    expect(renamed.document.nodes[0]?.properties).toMatchObject({ code: { module: './total', export: 'Sum' } })
    expect(renamed.document.stores[0]?.value).toMatchObject({ code: { module: './sums' } })
  })

  it('rewrites imports of it, as they were written, and leaves other text alone', () => {
    const renamed = renameFile(workspace, 'sum.ts', 'total.ts')
    expect(renamed.files['sums.ts']).toBe("import { Sum } from './total.js'\nexport const text = './sum'\n")
    expect(renamed.files['deep/a.ts']).toBe('import "../total"\nexport * from "../summary"\n')
  })

  it('finds the way into another folder and within one', () => {
    const renamed = renameFile(workspace, 'sum.ts', 'deep/sum.ts')
    expect(renamed.files['sums.ts']).toContain("from './deep/sum.js'")
    expect(renamed.files['deep/a.ts']).toContain('import "./sum"')
  })

  it('changes nothing when the name is taken or the file is not there', () => {
    expect(renameFile(workspace, 'sum.ts', 'sums.ts')).toBe(workspace)
    expect(renameFile(workspace, 'gone.ts', 'new.ts')).toBe(workspace)
  })
})
