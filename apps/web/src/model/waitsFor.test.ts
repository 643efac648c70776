import { describe, expect, it } from 'vitest'
import { aDocument, aProcessor, aSink, aSource } from './fixtures.js'
import { waitsFor } from './waitsFor.js'

const chain = aDocument(
  [aSource('in'), aProcessor('a'), aProcessor('b'), aSink('out'), aSource('other')],
  ['in>a', 'a>b', 'b>out'],
)
const problem = (nodeId: string) => ({ id: nodeId, severity: 'warn' as const, message: 'm', nodeId })
const leftOut = ['in', 'a', 'b', 'out']

describe('a node that was not looked at', () => {
  it('waits for the unfinished one nearest in front of it', () => {
    const analysis = { leftOut, problems: [problem('in'), problem('a')] }
    expect(waitsFor(chain, analysis, 'out')).toBe('Not checked yet: "a" in front of it is unfinished.')
    expect(waitsFor(chain, analysis, 'b')).toContain('"a"')
  })

  it('says nothing where its own problem does, or where it was looked at', () => {
    const analysis = { leftOut, problems: [problem('in'), problem('a')] }
    expect(waitsFor(chain, analysis, 'a')).toBeUndefined()
    expect(waitsFor(chain, analysis, 'other')).toBeUndefined()
    expect(waitsFor(chain, null, 'out')).toBeUndefined()
  })

  it('says that nothing could be built when no node is to blame, also on a circle', () => {
    const circle = aDocument([aProcessor('a'), aProcessor('b')], ['a>b', 'b>a'])
    expect(waitsFor(circle, { leftOut: ['a', 'b'], problems: [] }, 'a')).toContain('cannot be built')
  })
})
