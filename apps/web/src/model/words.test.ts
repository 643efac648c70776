import { describe, expect, it } from 'vitest'
import { formatDuration, parseDuration } from './duration.js'
import { aCount, aDocument, aProcessor, aSink, aSource, aWorkspace } from './fixtures.js'
import { kafkaNameProblem, nodeNameProblem, storeNameProblem, topicsProblem } from './names.js'
import { freeId, freeName } from './queries.js'
import { searchNodes } from './search.js'
import { shortDiff } from './shortDiff.js'
import { className, starterCode } from './starterCode.js'

describe('durations', () => {
  it.each([
    [0, '0'],
    [1, '1 ms'],
    [1_000, '1 s'],
    [1_500, '1500 ms'],
    [5_400_000, '90 min'],
    [3_600_000, '1 h'],
    [2_592_000_000, '30 d'],
  ])('%i ms is written %s and read back', (ms, text) => {
    expect(formatDuration(ms)).toBe(text)
    expect(parseDuration(text)).toBe(ms)
  })

  it.each([
    ['250', 250],
    ['1.5 h', 5_400_000],
    [' 2 days ', 172_800_000],
    ['5m', 300_000],
    ['2 h 30 min', 9_000_000],
    ['1h30m', 5_400_000],
    ['1 d 2 h 3 min 4 s 5 ms', 93_784_005],
    ['1.1 h', 3_960_000],
    ['9007199254740991', Number.MAX_SAFE_INTEGER],
  ])('reads %s', (text, ms) => expect(parseDuration(text)).toBe(ms))

  it.each([
    '',
    'soon',
    '5 fortnights',
    '-1 s',
    '0.5 ms',
    '1 2',
    '30 min 2 h',
    '1 h 1 h',
    '2 h 30',
    '2 h and',
    '9007199254740992',
    '99999999999 d',
  ])('does not read "%s"', (text) => expect(parseDuration(text)).toBeUndefined())
})

describe('names', () => {
  it('follow Kafka’s rule', () => {
    expect(kafkaNameProblem('A.b_c-9')).toBeUndefined()
    expect(kafkaNameProblem('a'.repeat(249))).toBeUndefined()
    expect(kafkaNameProblem('a'.repeat(250))).toContain('250')
    for (const bad of ['', '.', '..', 'a b', 'ä', 'a/b']) expect(kafkaNameProblem(bad)).toBeDefined()
  })

  it('of topics that are read together stand there once', () => {
    expect(topicsProblem(['a', 'b'])).toBeUndefined()
    expect(topicsProblem([])).toBeUndefined()
    expect(topicsProblem(['a', 'b', 'a'])).toContain('a stands there twice')
    expect(topicsProblem(['a', 'b c'])).toContain('" " cannot be in a name')
  })

  it('are unlike those of other nodes and stores', () => {
    const document = aDocument([aSource('in'), aCount('n')])
    expect(nodeNameProblem(document, 'in', 'in')).toBeUndefined()
    expect(nodeNameProblem(document, 'in', 'n')).toBe('Another node is called n.')
    expect(storeNameProblem(document, 'n', 'n-store')).toBeUndefined()
    expect(storeNameProblem(document, 's', 'n-store')).toBe('Another store is called n-store.')
  })

  it('are found free', () => {
    expect(freeName(new Set(['a', 'a-2']), 'a')).toBe('a-3')
    expect(freeId(new Set(), 'My Node!')).toBe('my-node')
    expect(freeId(new Set(), '...')).toBe('n')
  })
})

describe('starterCode', () => {
  it('imports only the types that the model gives', () => {
    const text = starterCode({ name: 'P', keyType: 'string', valueType: 'Map<Event, Uint8Array>', withTimers: false })
    expect(text).toContain("import type { Event, Map } from './model.js'")
    expect(starterCode({ name: 'P', keyType: 'string', valueType: 'unknown', withTimers: false })).not.toContain(
      'model.js',
    )
  })

  it('is named for the node', () => {
    expect([className('by-type'), className('5m.views'), className('a_b')]).toEqual(['ByType', 'Node5mViews', 'AB'])
  })

  it.each(['processor', 'record', 'timer', 'callback-context', 'map', 'promise', 'event', 'my-key'])(
    'keeps clear of what its file needs: a node called %s',
    (node) => {
      expect(className(node, ['MyKey', 'Map<string, Event>'])).toMatch(/^[A-Z]\w+Node$/)
    },
  )

  it('leaves alone what only looks alike', () => {
    expect(className('processors', ['Event'])).toBe('Processors')
    expect(className('event', ['string', 'unknown'])).toBe('Event')
  })
})

describe('searchNodes', () => {
  const workspace = aWorkspace(
    { ...aDocument([aSource('in'), aProcessor('a'), aCount('n'), aSink('out')]) },
    { 'a.ts': 'const secret = 1' },
  )

  it.each([
    ['IN', [['in', 'name']]],
    ['n-store', [['n', 'store']]],
    ['secret', [['a', 'code']]],
    ['60000', [['n', 'properties']]],
    ['  ', []],
    ['nothing like it', []],
  ])('finds "%s"', (text, hits) => {
    expect(
      searchNodes(workspace, text)
        .filter((hit) => hit.where !== 'properties' || text === '60000')
        .map((hit) => [hit.id, hit.where]),
    ).toEqual(hits)
  })
})

describe('shortDiff', () => {
  it('cuts what both lines begin with, at a comma', () => {
    const before = "topology.addSource('events', unquote, json(), 'events')"
    const after = "topology.addSource('events', Consumed.with(json(), json()), 'events')"
    expect(shortDiff([before], [after], 20)).toEqual({
      removed: ["…, unquote, json(), 'events')"],
      added: ["…, Consumed.with(json(), json()), 'events')"],
    })
  })

  it('leaves short lines, several lines and lines with nothing in common', () => {
    expect(shortDiff(['a, b'], ['a, c'], 20)).toEqual({ removed: ['a, b'], added: ['a, c'] })
    expect(shortDiff(['x'.repeat(30), 'y'], ['z'], 20).removed).toHaveLength(2)
    expect(shortDiff(['x'.repeat(30)], ['z'.repeat(30)], 20).removed).toEqual(['x'.repeat(30)])
  })
})
