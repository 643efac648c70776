import { describe, expect, it } from 'vitest'
import { emptyDocument } from '../../../model/Workspace.js'
import { codeFiles, fileOfNode, nameProblem } from './codeFiles.js'

const document = {
  ...emptyDocument('test'),
  nodes: [
    {
      id: 'sum',
      name: 'sum',
      kind: 'processor' as const,
      position: { x: 0, y: 0 },
      properties: { code: { module: './sum', export: 'Sum' }, timers: [], stores: [] },
    },
  ],
}
const STRING = { kind: 'built-in', name: 'string' } as const
const files = { 'a.ts': '', 'model.ts': '', 'sum.ts': '' }

describe('codeFiles', () => {
  it('lists the generated text, code by its name, types, and the config', () => {
    const paths = codeFiles({ document, files, config: {} }).map(({ path }) => path)
    expect(paths).toEqual(['topology.ts', 'a.ts', 'sum.ts', 'model.ts', 'app.config.json'])
  })

  it('keeps their order when the drawing changes', () => {
    const empty = codeFiles({ document: emptyDocument('test'), files, config: {} })
    expect(codeFiles({ document, files, config: {} })).toEqual(empty)
  })

  it('lists the generated stores once there are some, as read-only as the topology', () => {
    const store = { id: 'n', name: 'n', kind: 'key-value', key: STRING, value: STRING } as const
    const found = codeFiles({ document: { ...document, stores: [store] }, files, config: {} })
    expect(found.slice(0, 2)).toEqual([
      { path: 'topology.ts', kind: 'generated' },
      { path: 'stores.ts', kind: 'generated' },
    ])
  })

  it('lists no file that is not there', () => {
    const paths = codeFiles({ document, files: {}, config: {} }).map(({ path }) => path)
    expect(paths).toEqual(['topology.ts', 'app.config.json'])
  })

  it('knows the file of a node', () => {
    expect(fileOfNode(document, 'sum')).toBe('sum.ts')
    expect(fileOfNode(document, 'other')).toBeUndefined()
  })
})

describe('nameProblem', () => {
  it.each(['enrich.ts', 'deep/enrich.ts', 'a-b_c.test.ts'])('takes %s', (name) => {
    expect(nameProblem(name, files)).toBeUndefined()
  })
  it.each(['enrich', '../x.ts', '/x.ts', 'a b.ts', 'x.d.ts', '.ts', 'a//b.ts'])('refuses %s', (name) => {
    expect(nameProblem(name, files)).toContain('.ts')
  })
  it('refuses names that are generated or taken, but lets a file keep its own', () => {
    expect(nameProblem('topology.ts', files)).toContain('generated')
    expect(nameProblem('stores.ts', files)).toContain('generated')
    expect(nameProblem('traffic.ts', files)).toContain('generated')
    expect(nameProblem('sum.ts', files)).toContain('already')
    expect(nameProblem('sum.ts', files, 'sum.ts')).toBeUndefined()
  })
})
