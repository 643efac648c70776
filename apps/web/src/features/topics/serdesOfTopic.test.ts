import type { AnalysedNode, TopologyDocument } from '@lanescope/shared'
import { expect, it } from 'vitest'
import { serdesOfTopic } from './serdesOfTopic.js'

const chip = (label: string, status: AnalysedNode['keyChip']['status'] = 'declared') => ({
  label,
  status,
  windowed: false,
})
const drawing = {
  nodes: [
    { kind: 'source', id: 'in', properties: { topics: ['events', 'counts'] } },
    { kind: 'sink', id: 'out', properties: { topic: 'counts' } },
    { kind: 'sink', id: 'dark', properties: { topic: 'events' } },
  ],
} as unknown as TopologyDocument
const analysed = [
  { nodeId: 'in', keyChip: chip('string'), valueChip: chip('json') },
  { nodeId: 'out', keyChip: chip('windowed(string,60000)', 'inherited'), valueChip: chip('long') },
  { nodeId: 'dark', keyChip: chip('?', 'unresolved'), valueChip: chip('double') },
]

it('takes the serdes of who writes the topic before those of who reads it', () => {
  expect(serdesOfTopic(drawing, analysed, 'counts')).toEqual({ key: 'windowed(string,60000)', value: 'long' })
})

it('reads a windowed key with its window, where the chip names what is inside', () => {
  const keyChip = { ...chip('string', 'inherited'), windowed: true, windowedId: 'windowed(string,10000)' }
  expect(serdesOfTopic(drawing, [{ nodeId: 'out', keyChip, valueChip: chip('long') }], 'counts')).toEqual({
    key: 'windowed(string,10000)',
    value: 'long',
  })
  const { windowedId: _, ...unsaid } = keyChip
  expect(serdesOfTopic(drawing, [{ nodeId: 'out', keyChip: unsaid, valueChip: chip('long') }], 'counts').key).toBe(
    undefined,
  )
})

it('takes none that is not resolved', () => {
  expect(serdesOfTopic(drawing, analysed, 'events')).toEqual({ key: 'string', value: 'double' })
})

it('knows nothing of other topics, nor before the analysis', () => {
  expect(serdesOfTopic(drawing, analysed, 'other')).toEqual({ key: undefined, value: undefined })
  expect(serdesOfTopic(drawing, [], 'counts')).toEqual({ key: undefined, value: undefined })
})
