import { describe, expect, it } from 'vitest'
import { string } from '../../serde/string.js'
import { Consumed } from '../../topology/Consumed.js'
import { parseConfig } from '../../topology/parseConfig.js'
import { Topology } from '../../topology/Topology.js'
import { duplicateSource } from './duplicateSource.js'

function check(patterns: readonly (string | RegExp)[], topics: readonly string[], config = {}) {
  const topology = new Topology()
  patterns.forEach((pattern, i) => {
    topology.addSource(`s${i}`, Consumed.with(string, string), pattern)
  })
  const parsed = parseConfig(config)
  const partitions = new Map(topics.map((topic) => [topic, 1]))
  return duplicateSource.check({ topology: topology.compile(parsed), config: parsed, samples: new Map(), partitions })
}

describe('[V4] a topic that two sources read', () => {
  it('is found once for each topic, at the source that would get nothing', () => {
    expect(check([/^a/, /b$/, /c/], ['ab', 'a', 'b', 'axb', 'cc'])).toMatchObject([
      { id: 'duplicate-source:ab:s0:s1', severity: 'error', node: 's1', nodes: ['s0', 's1'], fixes: [] },
      { id: 'duplicate-source:axb:s0:s1', title: 'Topic "axb" is read by 2 sources' },
    ])
  })

  it('is found at a name, also while no topic is known', () => {
    expect(check(['ab', /a/], []).map(({ message }) => message)).toEqual([
      expect.stringMatching(
        /^"s0" by its name and "s1" by the pattern a read topic "ab"\. .* only "s0" would get them/,
      ),
    ])
  })

  it('is none for one source, and where patterns share no topic', () => {
    expect(check([/a/], ['a', 'aa'])).toEqual([])
    expect(check([/^a$/, /b/], ['a', 'b'])).toEqual([])
  })

  it('goes by the topic alone, also under a pattern that remembers where it was', () => {
    expect(check([/a/g, /b/g], ['ab', 'ab2', 'ab3'])).toHaveLength(3)
  })

  it('is as severe as the config says, or off', () => {
    const of = (verdict: string) => check([/a/, /b/], ['ab'], { 'topology.validation.duplicate-source': verdict })
    expect(of('warn')).toMatchObject([{ severity: 'warn' }])
    expect(of('off')).toEqual([])
  })
})
