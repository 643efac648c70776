import { describe, expect, it } from 'vitest'
import type { CodeDiagnostic } from '../../../model/CodeDiagnostic.js'
import { emptyDocument } from '../../../model/Workspace.js'
import { codeProblems } from './codeProblems.js'

const processor = (id: string, module: string) => ({
  id,
  name: id,
  kind: 'processor' as const,
  position: { x: 0, y: 0 },
  properties: { code: { module, export: 'A' }, timers: [], stores: [] },
})
const document = {
  ...emptyDocument('test'),
  nodes: [processor('a', './x'), processor('b', './x'), processor('c', './y')],
}
const error = (path: string, code: number, line = 1, severity: 'error' | 'warn' = 'error'): CodeDiagnostic => ({
  path,
  from: 0,
  to: 1,
  line,
  column: 2,
  severity,
  message: `error ${code}`,
  code,
})

describe('codeProblems', () => {
  it('puts the first error of a file on each node whose code it is, and says how many there are', () => {
    expect(codeProblems(document, [error('x.ts', 2322, 3), error('x.ts', 2345, 9)])).toEqual([
      expect.objectContaining({
        id: 'types:a:x.ts',
        nodeId: 'a',
        line: 3,
        message: 'error 2322 (and 1 more in this file)',
      }),
      expect.objectContaining({ id: 'types:b:x.ts', nodeId: 'b', line: 3 }),
    ])
  })

  it('gives an error of syntax the id that the analysis gives it', () => {
    expect(codeProblems(document, [error('y.ts', 1999)]).map(({ id }) => id)).toEqual(['syntax:c:y.ts'])
    expect(codeProblems(document, [error('y.ts', 2000)]).map(({ id }) => id)).toEqual(['types:c:y.ts'])
  })

  it('reports a file that is nobody’s code without a node', () => {
    expect(codeProblems(document, [error('z.ts', 2322)])).toEqual([
      { id: 'types:z.ts', severity: 'error', message: 'error 2322', file: 'z.ts', line: 1, column: 2 },
    ])
  })

  it('takes no warning for a problem', () => {
    expect(codeProblems(document, [error('z.ts', 6133, 1, 'warn')])).toEqual([])
  })
})
