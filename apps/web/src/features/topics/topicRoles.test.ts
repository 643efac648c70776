import type { TopologyDocument } from '@lanescope/shared'
import { describe, expect, it } from 'vitest'
import { inOrderOfRole, roleOf, sourceOfTopic, topicToFeed } from './topicRoles.js'

const source = (id: string, ...topics: string[]) => ({ kind: 'source', id, name: id, properties: { topics } })
const writer = (kind: 'sink' | 'through', id: string, topic: string) => ({ kind, id, name: id, properties: { topic } })

const drawing = {
  nodes: [
    writer('sink', 'out', 'counts'),
    source('undone'),
    source('views', 'page-views', 'more-views'),
    source('orders', 'orders'),
    writer('through', 'again', 'halfway'),
    writer('sink', 'back', 'orders'),
  ],
} as unknown as TopologyDocument

describe('the topic to feed', () => {
  it('is the one that the selected source reads', () => {
    expect(topicToFeed(drawing, 'orders')).toBe('orders')
  })

  it('is the first that is read, whatever else is selected', () => {
    for (const selected of [undefined, 'out', 'undone', 'gone'])
      expect(topicToFeed(drawing, selected)).toBe('page-views')
    expect(topicToFeed({ nodes: [] }, undefined)).toBeUndefined()
  })
})

describe('what a drawing has to do with a topic', () => {
  it('tells what is read, written, both and neither', () => {
    const roles = ['page-views', 'more-views', 'counts', 'orders', 'halfway', 'other'].map((one) =>
      roleOf(drawing, one),
    )
    expect(roles).toEqual(['source', 'source', 'sink', 'both', 'both', 'none'])
    expect(sourceOfTopic(drawing, 'more-views')?.id).toBe('views')
    expect(sourceOfTopic(drawing, 'counts')).toBeUndefined()
  })

  it('puts what is read first', () => {
    const topics = ['counts', 'other', 'orders', 'page-views', 'halfway'].map((topic) => ({ topic }))
    const order = inOrderOfRole(drawing, topics).map(({ topic }) => topic)
    expect(order).toEqual(['page-views', 'orders', 'halfway', 'counts', 'other'])
  })
})
