import { describe, expect, it } from 'vitest'
import { connectRefusal, wireTargets } from './connectRules.js'
import { aCount, aDocument, aProcessor, aSink, aSource } from './fixtures.js'

const document = aDocument(
  [aSource('in'), aSource('other'), aProcessor('a'), aProcessor('b'), aProcessor('c'), aCount('n'), aSink('out')],
  ['in>a', 'a>b', 'b>c', 'in>n'],
)

describe('connectRefusal', () => {
  it('lets a source feed a step and a step feed a sink', () => {
    expect(connectRefusal(document, 'in', 'b')).toBeUndefined()
    expect(connectRefusal(document, 'c', 'out')).toBeUndefined()
    expect(connectRefusal(document, 'in', 'out')).toBeUndefined()
  })

  it.each([
    ['a', 'a', 'a cannot feed itself.'],
    ['a', 'in', 'in reads topics; nothing can lead into a source.'],
    ['out', 'a', 'out writes a topic; nothing can lead out of a sink.'],
    ['in', 'a', 'in feeds a already.'],
    ['c', 'a', 'That would be a circle: records of a reach c.'],
    ['b', 'a', 'That would be a circle: records of a reach b.'],
    ['other', 'n', 'n counts one stream, and has one already.'],
    ['a', 'gone', 'One of the two nodes is gone.'],
    ['gone', 'a', 'One of the two nodes is gone.'],
  ])('refuses %s to %s: %s', (from, to, reason) => {
    expect(connectRefusal(document, from, to)).toBe(reason)
  })

  it('lets a step skip another forward, which is no circle', () => {
    expect(connectRefusal(document, 'a', 'c')).toBeUndefined()
  })

  it('lets a count without a stream have one', () => {
    expect(connectRefusal(aDocument([aSource('in'), aCount('n')]), 'in', 'n')).toBeUndefined()
  })
})

describe('wireTargets', () => {
  it('judges every other node as the end of a wire drawn forward', () => {
    const targets = wireTargets(document, 'b', 'forward')
    expect([targets.get('out'), targets.get('a')]).toEqual([null, 'That would be a circle: records of a reach b.'])
    expect(targets.has('b')).toBe(false)
    expect(targets.size).toBe(6)
  })

  it('judges them as its beginning when it is drawn backward', () => {
    const targets = wireTargets(document, 'b', 'backward')
    expect(targets.get('other')).toBeNull()
    expect(targets.get('a')).toBe('a feeds b already.')
    expect(targets.get('out')).toBe('out writes a topic; nothing can lead out of a sink.')
  })
})
