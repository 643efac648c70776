import { describe, expect, it } from 'vitest'
import { Consumed, Produced, string, Topology } from '../../index.js'
import { parseConfig } from '../../topology/parseConfig.js'
import type { RecordLog, TopicInfo } from '../RecordLog.js'
import { findTopics } from './findTopics.js'

const text = Consumed.with(string, string)
const out = Produced.with(string, string)

function find(
  topology: Topology,
  existing: readonly string[],
  config: { readonly [key: string]: unknown } = {},
  hasRun?: boolean,
) {
  const parsed = parseConfig({ 'application.id': 'test', ...config })
  const info = (topic: string): TopicInfo => ({ topic, partitions: 1 })
  const log = {
    topics: async (names: readonly string[]) => names.filter((name) => existing.includes(name)).map(info),
    topicsMatching: async (pattern: RegExp) => existing.filter((name) => pattern.test(name)).map(info),
  } as unknown as RecordLog
  return findTopics(topology.compile(parsed), parsed, log, hasRun)
}

describe('findTopics', () => {
  it('gives the topics that are read, and knows those that are written', async () => {
    const topology = new Topology().addSource('in', text, 'a', 'b').addSink('out', 'c', out, 'in')
    const { sources, topics } = await find(topology, ['a', 'b', 'c', 'd'])
    expect(sources).toEqual(['a', 'b'])
    expect([...topics.keys()].sort()).toEqual(['a', 'b', 'c'])
  })

  it('names every topic that is missing, the dead-letter topic too, before anything starts', async () => {
    const topology = new Topology().addSource('in', text, 'a', 'b').addSink('out', 'c', out, 'in')
    const finding = find(topology, ['b'], { 'errors.dead.letter.queue.topic.name': 'dead' })
    await expect(finding).rejects.toMatchObject({
      code: 'TOPIC_MISSING',
      kind: 'operational',
      retriable: true,
      message: 'Topics "a", "c", "dead" do not exist. Create them before the run.',
    })
    await expect(find(topology, ['b', 'c'])).rejects.toThrow('Topic "a" does not exist. Create it before the run.')
  })

  it('says of topics that have been there in this run that they were deleted', async () => {
    const topology = new Topology().addSource('in', text, 'a', 'b').addSink('out', 'c', out, 'in')
    await expect(find(topology, ['a', 'b'], {}, true)).rejects.toMatchObject({
      code: 'TOPIC_MISSING',
      message: expect.stringMatching(/^Topic "c" was deleted while the application ran\. Make it again/),
    })
    await expect(find(topology, ['b'], {}, true)).rejects.toThrow(/^Topics "a", "c" were deleted .* Make them again/)
  })

  it('[P3] a pattern reads what matches it; that none does is no error', async () => {
    const topology = new Topology().addSource('in', text, /^in-/)
    expect((await find(topology, ['in-1', 'other', 'in-2'])).sources).toEqual(['in-1', 'in-2'])
    expect((await find(topology, ['other'])).sources).toEqual([])
  })

  it('knows all that exist where a sink names its topic record by record', async () => {
    const topology = new Topology().addSource('in', text, 'a').addSink('out', (key) => String(key), out, 'in')
    const { sources, topics } = await find(topology, ['a', 'b', 'c'])
    expect(sources).toEqual(['a'])
    expect([...topics.keys()].sort()).toEqual(['a', 'b', 'c'])
  })
})

describe('[V4] a topic that two sources read', () => {
  const twice = (first: string | RegExp, second: RegExp) =>
    new Topology().addSource('one', text, first).addSource('two', text, second)

  it('is refused before anything starts, with both, by the topics that there are', async () => {
    await expect(find(twice(/^in-/, /-b$/), ['in-a', 'in-b', 'b'])).rejects.toMatchObject({
      code: 'TOPOLOGY_INVALID',
      message: expect.stringMatching(/^"one" by the pattern \^in- and "two" by the pattern -b\$ read topic "in-b"/),
      context: { node: 'two' },
    })
    await expect(find(twice('ab', /a/), ['ab'])).rejects.toThrow(/"one" by its name and "two" by the pattern a read/)
  })

  it('is none where each topic is found once, whatever else the patterns could find', async () => {
    expect((await find(twice(/^in-/, /-b$/), ['in-a', 'b', 'x-b'])).sources).toEqual(['in-a', 'x-b'])
    expect((await find(twice('ab', /^a$/), ['ab', 'a'])).sources).toEqual(['ab', 'a'])
  })

  it('may be let run', async () => {
    const config = { 'topology.validation.duplicate-source': 'warn' }
    expect((await find(twice(/^in-/, /-b$/), ['in-b'], config)).sources).toEqual(['in-b'])
  })
})
