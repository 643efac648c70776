import type { Admin } from 'kafkajs'
import { describe, expect, it } from 'vitest'
import { type TopicQuestions, whatIsGone, whyLost } from './fetchFaults.js'
import type { KafkaClient } from './KafkaClient.js'

function questions({
  acceptsGaps,
  ids = {},
  there = ['a', 'b'],
}: {
  acceptsGaps?: boolean | undefined
  ids?: object
  there?: string[]
}) {
  return {
    client: { servers: ['s:1'], options: { acceptsGaps } } as unknown as KafkaClient,
    admin: { listTopics: async () => there } as unknown as Admin,
    topics: ['a', 'b'],
    topicIds: async () => new Map(Object.entries(ids)),
    bounds: async () => [
      { partition: 0, low: '0', high: '0' },
      { partition: 1, low: '5', high: '9' },
    ],
  } as TopicQuestions
}

describe('a partition that did not give its next position', () => {
  it.each([
    [4, 'STATE_MISMATCH'],
    [5, 'LOG_UNAVAILABLE'],
    [9, 'LOG_UNAVAILABLE'],
    [10, 'STATE_MISMATCH'],
    [undefined, 'STATE_MISMATCH'],
  ])('[E13] that holds 5 to 9 has lost %s, or holds it all the same: %s', async (at, code) => {
    expect(await whyLost(questions({}), { topic: 'a', partition: 1 }, at)).toMatchObject({ code })
  })

  it('[E13] that is not there has lost it', async () => {
    expect(await whyLost(questions({}), { topic: 'a', partition: 2 }, 0)).toMatchObject({ code: 'STATE_MISMATCH' })
  })

  it.each([
    [true, true],
    [false, false],
    [undefined, false],
  ])('[E13] is a matter for a restart where gaps are accepted: %s', async (acceptsGaps, retriable) => {
    const place = { topic: 'a', partition: 1 }
    expect(await whyLost(questions({ acceptsGaps }), place, 4)).toMatchObject({ retriable })
    const anew = await whatIsGone(questions({ acceptsGaps, ids: { a: '2' } }), [
      { ...place, offset: 0, topicId: '1' } as never,
    ])
    expect(anew).toMatchObject({ code: 'STATE_MISMATCH', retriable, context: { topic: 'a' } })
  })
})

describe('what a broker does not have', () => {
  const start = { topic: 'a', partition: 0, offset: 0, done: [], topicId: '1' }

  it('[E13] is nothing where the topics are those that were read, or the brokers do not tell', async () => {
    for (const ids of [{ a: '1', b: '7' }, {}]) expect(await whatIsGone(questions({ ids }), [start])).toBeUndefined()
    const { topicId: _, ...unknown } = start
    expect(await whatIsGone(questions({ ids: { a: '2' } }), [unknown])).toBeUndefined()
  })

  it('[E13] names the topics that are there no more', async () => {
    const gone = await whatIsGone(questions({ ids: { a: '1' }, there: ['a', 'c'] }), [start])
    expect(gone).toMatchObject({ code: 'TOPIC_MISSING', context: { topic: 'b' } })
  })
})
