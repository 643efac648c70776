import { describe, expect, it } from 'vitest'
import { string } from '../../serde/string.js'
import { Consumed } from '../../topology/Consumed.js'
import { parseConfig } from '../../topology/parseConfig.js'
import { Topology } from '../../topology/Topology.js'
import { isByPattern, offsetResets } from './offsetResets.js'

const consumed = Consumed.with(string, string)
const topology = new Topology()
  .addSource('plain', consumed, 'plain')
  .addSource('named', consumed.withOffsetResetPolicy('latest'), 'named')
  .addSource('found', consumed.withOffsetResetPolicy('latest'), /^more-/g)
  .compile(parseConfig({ 'application.id': 'app' }))

describe('offsetResets', () => {
  it('[P2] [P3] are those of the sources that have one, also for topics that a pattern has found', () => {
    const sources = ['plain', 'named', 'more-1', 'more-2']
    expect([...offsetResets(topology, sources)]).toEqual([
      ['named', 'latest'],
      ['more-1', 'latest'],
      ['more-2', 'latest'],
    ])
  })

  it('[P3] tells topics that a pattern has found from those that a source names', () => {
    expect(['plain', 'named', 'more-1'].map((topic) => isByPattern(topology, topic))).toEqual([false, false, true])
  })
})
