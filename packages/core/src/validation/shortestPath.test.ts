import { describe, expect, it } from 'vitest'
import { string } from '../serde/string.js'
import { Consumed } from '../topology/Consumed.js'
import { parseConfig } from '../topology/parseConfig.js'
import { Topology } from '../topology/Topology.js'
import { shortestPath } from './shortestPath.js'

const plain = { get: () => ({ process() {} }) }
const topology = new Topology()
  .addSource('s', Consumed.with(string, string), 'a')
  .addProcessor('p', plain, 's')
  .addProcessor('q', plain, 'p')
  .addProcessor('r', plain, 'q', 'p')
  .compile(parseConfig({}))

describe('shortestPath', () => {
  it('goes by the fewest edges', () =>
    expect(shortestPath(topology, 's', 'r')).toEqual([
      { from: 's', to: 'p' },
      { from: 'p', to: 'r' },
    ]))
  it('is empty from a node to itself', () => expect(shortestPath(topology, 'p', 'p')).toEqual([]))
  it('is empty where there is no way', () => expect(shortestPath(topology, 'r', 's')).toEqual([]))
})
