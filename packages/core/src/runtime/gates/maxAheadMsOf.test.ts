import { expect, it } from 'vitest'
import { string } from '../../serde/string.js'
import { Consumed } from '../../topology/Consumed.js'
import { parseConfig } from '../../topology/parseConfig.js'
import { Topology } from '../../topology/Topology.js'
import { maxAheadMsOf } from './maxAheadMsOf.js'

it('[F2] is that of the source that reads the topic, by name or by pattern', () => {
  const consumed = (ms: number) => Consumed.with(string, string).withMaxAhead(ms)
  const compiled = new Topology()
    .addSource('named', consumed(1), 'a', 'b')
    .addSource('found', consumed(2), /^c-/)
    .addSource('silent', Consumed.with(string, string), 'd')
    .compile(parseConfig({ 'application.id': 'test' }))
  expect(['a', 'b', 'c-1', 'd', 'e'].map((topic) => maxAheadMsOf(compiled, topic))).toEqual([
    1,
    1,
    2,
    undefined,
    undefined,
  ])
})
