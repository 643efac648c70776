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
const files = { 'a.ts': '', 'model.ts': '', 'sum.ts': '' }

describe('codeFiles', () => {
  it('lists the generated text, code in the order of its nodes, types, the rest, and the config', () => {
    const paths = codeFiles({ document, files, config: {} }).map(({ path }) => path)
    expect(paths).toEqual(['topology.ts', 'sum.ts', 'model.ts', 'a.ts', 'app.config.json'])
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
    expect(nameProblem('sum.ts', files)).toContain('already')
    expect(nameProblem('sum.ts', files, 'sum.ts')).toBeUndefined()
  })
})
