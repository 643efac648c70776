import { describe, expect, it } from 'vitest'
import type { KStream } from '../../dsl/KStream.js'
import { StreamsBuilder } from '../../dsl/StreamsBuilder.js'
import { string } from '../../serde/string.js'
import { Consumed } from '../../topology/Consumed.js'
import { parseConfig } from '../../topology/parseConfig.js'
import type { Topology } from '../../topology/Topology.js'
import { danglingSink } from './danglingSink.js'
import { unreachableNode } from './unreachableNode.js'

const plain = { get: () => ({ process() {} }) }

function topologyOf(write: (stream: KStream<any, any>) => void): Topology {
  const builder = new StreamsBuilder()
  write(builder.stream('in', Consumed.with(string, string)))
  return builder.build()
}
function check(write: (stream: KStream<any, any>) => void, config: Record<string, unknown> = {}) {
  const parsed = parseConfig(config)
  return danglingSink.check({ topology: topologyOf(write).compile(parsed), config: parsed, samples: new Map() })
}

describe('[V9] a way that ends without writing', () => {
  const ends: [string, (stream: KStream<any, any>) => void][] = [
    ['filter', (stream) => stream.filter(() => true)],
    ['filterNot', (stream) => stream.filterNot(() => true)],
    ['map', (stream) => stream.map((key, value) => [key, value])],
    ['mapValues', (stream) => stream.mapValues((value) => value)],
    ['flatMap', (stream) => stream.flatMap(() => [])],
    ['flatMapValues', (stream) => stream.flatMapValues(() => [])],
    ['selectKey', (stream) => stream.selectKey((key) => key)],
    ['merge', (stream) => stream.merge(stream.peek(() => undefined))],
    ['toStream', (stream) => stream.groupByKey().count().toStream()],
    ['repartition', (stream) => stream.repartition()],
    ['split', (stream) => stream.split().noDefaultBranch()],
  ]
  it('is given a sink by its fix, but for a split, of which each branch would need one', () => {
    const [finding] = check((stream) => stream.filter(() => true))
    expect(finding?.fixes).toMatchObject([
      { kind: 'add-sink', after: 'KSTREAM-FILTER-0000000001', topic: 'KSTREAM-FILTER-0000000001-out' },
    ])
    expect(check((stream) => stream.split().noDefaultBranch())[0]?.fixes).toEqual([])
  })

  it.each(ends)('is told of %s', (operator, write) => {
    const findings = check(write)
    expect(findings).toHaveLength(1)
    expect(findings[0]).toMatchObject({
      severity: 'warn',
      title: `Nobody takes what ${findings[0]?.node} makes`,
      message: expect.stringContaining(`(${operator}) hands its results on, but no node is wired behind it.`),
    })
  })

  it('is not told where something comes after, nor of what acts or keeps by itself', () => {
    expect(check((stream) => stream.mapValues((value) => value).to('o'))).toEqual([])
    expect(check((stream) => stream.foreach(() => undefined))).toEqual([])
    expect(check((stream) => stream.peek(() => undefined))).toEqual([])
    expect(check((stream) => stream.process(plain))).toEqual([])
    expect(check((stream) => stream.groupByKey().count())).toEqual([])
    expect(check((stream) => stream.split().defaultBranch())).toEqual([])
  })

  it('is as severe as the config says', () => {
    const write = (stream: KStream<any, any>) => stream.filter(() => true)
    const key = 'topology.validation.dangling-sink'
    expect(check(write, { [key]: 'hint' })[0]?.severity).toBe('hint')
    expect(check(write, { [key]: 'off' })).toEqual([])
  })
})

describe('[V9] a source that nothing reads from', () => {
  const idle = (config: Record<string, unknown> = {}) => {
    const parsed = parseConfig(config)
    const topology = topologyOf(() => undefined).compile(parsed)
    return unreachableNode.check({ topology, config: parsed, samples: new Map() })
  }

  it('is told with its topic', () => {
    expect(idle()[0]).toMatchObject({
      title: 'KSTREAM-SOURCE-0000000000 reads a topic and hands its records to nobody',
      message: expect.stringContaining('KSTREAM-SOURCE-0000000000 reads in, but no node is wired behind it.'),
    })
  })

  it('is as severe as the config says', () => {
    const key = 'topology.validation.unreachable-node'
    expect(idle().map(({ severity }) => severity)).toEqual(['warn'])
    expect(idle({ [key]: 'error' })[0]?.severity).toBe('error')
    expect(idle({ [key]: 'off' })).toEqual([])
  })
})
