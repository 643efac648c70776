import { generateTopology } from '@lanescope/shared'
import { describe, expect, it } from 'vitest'
import type { CodeDiagnostic } from '../../../model/CodeDiagnostic.js'
import { aDocument, aProcessor, aSink, aSource } from '../../../model/fixtures.js'
import { generatedProblems } from './generatedProblems.js'

const document = aDocument([aSource('in'), aProcessor('a'), aSink('out')], ['in>a', 'a>out'])
const topology = generateTopology(document)
const error = (line: number, message = 'no', path = 'topology.ts', severity: 'error' | 'warn' = 'error') =>
  ({ path, from: 0, to: 1, line, column: 3, severity, message, code: 2769 }) satisfies CodeDiagnostic
const lineOf = (id: string) => topology.linesOf(id)?.from as number
const own = { id: 'types:a:a.ts', nodeId: 'a', severity: 'error', message: 'm', file: 'a.ts' } as const

describe('generatedProblems', () => {
  it('puts an error of the generated code on the node whose call it is, with the innermost reason', () => {
    const message = "No overload matches this call.\n  The last one says:\n    'number' is no 'Event'."
    const found = [error(lineOf('a'), message), error(lineOf('a'), 'more')]
    expect(generatedProblems(document, topology, found, [])).toEqual([
      {
        id: 'types:a:topology.ts',
        nodeId: 'a',
        severity: 'error',
        message: `"a" does not compile in the export: 'number' is no 'Event'.`,
        file: 'topology.ts',
        line: lineOf('a'),
        column: 3,
      },
    ])
  })

  it('reports what belongs to no node, such as an import or a line of the stores', () => {
    const found = generatedProblems(document, topology, [error(2), error(lineOf('a'), 'no', 'stores.ts')], [])
    expect(found.map(({ id, nodeId }) => [id, nodeId])).toEqual([
      ['types:topology.ts', undefined],
      ['types:stores.ts', undefined],
    ])
    expect(found[0]?.message).toBe('The export does not compile: no')
  })

  it('does not repeat what people’s own code has wrong', () => {
    const found = [error(2), error(lineOf('a')), error(lineOf('out'))]
    expect(generatedProblems(document, topology, found, [own]).map(({ nodeId }) => nodeId)).toEqual(['out'])
  })

  it('takes no warning for a problem', () => {
    expect(generatedProblems(document, topology, [error(2, 'no', 'topology.ts', 'warn')], [])).toEqual([])
  })
})
