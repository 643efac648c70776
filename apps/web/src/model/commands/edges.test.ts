import { describe, expect, it } from 'vitest'
import { aDocument, aProcessor, aSink, aSource, edgesOf } from '../fixtures.js'
import { connect, disconnect, reconnect, splice } from './edges.js'

const document = aDocument([aSource('in'), aProcessor('a'), aProcessor('b'), aSink('out')], ['in>a', 'a>out'])

describe('edges', () => {
  it('are drawn where the rules allow, with ids that are free', () => {
    const next = connect(document, 'in', 'b')
    expect(edgesOf(next)).toEqual(['in>a', 'a>out', 'in>b'])
    expect(new Set(next.edges.map((edge) => edge.id)).size).toBe(3)
    expect(connect(document, 'in', 'a')).toBe(document)
  })

  it('are removed by id', () => {
    expect(edgesOf(disconnect(document, ['in-a']))).toEqual(['a>out'])
    expect(disconnect(document, ['nothing'])).toBe(document)
  })

  it('move an end, and stay where they are when that is refused', () => {
    expect(edgesOf(reconnect(document, 'a-out', 'b', 'out'))).toEqual(['in>a', 'b>out'])
    expect(reconnect(document, 'a-out', 'out', 'a')).toBe(document)
    expect(reconnect(document, 'in-a', 'in', 'a')).toBe(document)
    expect(reconnect(document, 'gone', 'in', 'b')).toBe(document)
  })
})

describe('splice', () => {
  it('puts a node into an edge', () => {
    const done = splice(document, 'in-a', 'b')
    expect('document' in done && edgesOf(done.document)).toEqual(['a>out', 'in>b', 'b>a'])
  })

  it.each([
    ['in-a', 'in', 'The edge ends at this node already.'],
    ['in-a', 'a', 'The edge ends at this node already.'],
    ['gone', 'b', 'The edge is gone.'],
    ['in-a', 'out', 'out writes a topic; nothing can lead out of a sink.'],
    ['a-out', 'in', 'in reads topics; nothing can lead into a source.'],
  ])('refuses %s with %s: %s', (edge, node, refusal) => {
    expect(splice(document, edge, node)).toEqual({ refusal })
  })
})
