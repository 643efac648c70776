import { StreamError } from '@lanescope/core'
import { describe, expect, it } from 'vitest'
import { type CaseFile, parseCase } from './CaseFile.js'
import { alignDeadLetters } from './compare/alignDeadLetters.js'
import { compareCase } from './compare/compareCase.js'
import { compareError } from './compare/compareError.js'
import { sameJson } from './compare/sameJson.js'
import { runCase } from './run/runCase.js'
import { timeOf, timesNearTheEnd } from './values.js'

const echo = {
  name: 'echo',
  about: 'A stream to a topic.',
  spec: [],
  topology: [
    { id: 'n1', op: 'stream', topics: ['in'] },
    { op: 'to', of: 'n1', topic: 'out' },
  ],
  steps: [{ pipe: ['in', 'k', 'a', 1] }],
  expect: [{ out: [['out', 'k', 'a', 1]] }],
}

async function differences(changes: object): Promise<readonly unknown[]> {
  const file = parseCase(JSON.stringify({ ...echo, ...changes }))
  return compareCase(file, await runCase(file, 'kafka-streams'))
}

describe('a case', () => {
  it('passes when all is as expected', async () => {
    expect(await differences({})).toEqual([])
  })

  it.each([
    ['another value', { expect: [{ out: [['out', 'k', 'b', 1]] }] }],
    ['another time', { expect: [{ out: [['out', 'k', 'a', 2]] }] }],
    ['headers', { expect: [{ out: [['out', 'k', 'a', 1, [['h', 'v']]]] }] }],
    ['an output too many', { expect: [{ out: [] }] }],
    ['a drop', { expect: [{ out: [['out', 'k', 'a', 1]], dropped: 1 }] }],
    ['something seen', { expect: [{ out: [['out', 'k', 'a', 1]], seen: [['t', 'k', 'a']] }] }],
    ['something printed', { expect: [{ out: [['out', 'k', 'a', 1]], printed: ['x'] }] }],
    ['an error', { expect: [{ out: [['out', 'k', 'a', 1]], error: { class: 'X', message: null } }] }],
    ['a store', { stores: { s: [] } }],
    ['another description', { describe: 'Topologies:' }],
    ['branches', { branches: { n1: [] } }],
    ['a failing build', { buildError: { class: 'TopologyException', message: 'x' } }],
    ['a failing start', { startError: { class: 'ConfigException', message: 'x' } }],
    ['a step more', { expect: [] }],
  ])('fails where it expects %s', async (_what, changes) => {
    expect(await differences(changes)).not.toEqual([])
  })

  it('shows what a failing step had sent with the next one', async () => {
    const topology = [
      ...echo.topology,
      { id: 'n2', op: 'mapValues', of: 'n1', fn: 'failOn:a' },
      { op: 'to', of: 'n2', topic: 'other' },
    ]
    const steps = [...echo.steps, { pipe: ['in', 'k', 'b', 2] }]
    const first = { out: [], error: { class: 'IllegalStateException', message: 'refused a' } }
    const second = { out: [['other', 'k', 'b', 2], ...['a', 'b'].map((value, at) => ['out', 'k', value, at + 1])] }
    const continued = { topology, steps, expect: [first, second], continueAfterError: true }
    expect(await differences(continued)).toEqual([])
    expect(await differences({ topology, steps, expect: [first] })).toEqual([])
  })

  it('asks stores that are read by key for the keys of the steps that were run', async () => {
    const topology = [
      echo.topology[0],
      { id: 'g', op: 'groupBy', of: 'n1', fn: 'value' },
      { id: 'w', op: 'windowedBy', of: 'g', windows: { type: 'session', gap: 5 } },
      { id: 'c', op: 'count', of: 'w', materialized: { name: 's', key: 'string' } },
      { id: 'm', op: 'mapValues', of: 'n1', fn: 'failOn:b' },
    ]
    const steps = [{ pipe: ['in', 'k', 'b', 1] }, { pipe: ['in', 'b', 'c', 2] }]
    const stopped = { out: [], error: { class: 'IllegalStateException', message: 'refused b' } }
    expect(await differences({ topology, steps, expect: [stopped], stores: { s: [] } })).toEqual([])
  })

  it.each([
    ['a field of the case', { more: 1 }],
    ['a kind', { kind: 'other' }],
    ['an api', { api: 'other' }],
    ['an operation', { topology: [{ op: 'other' }] }],
    ['an operation of another kind of thing', { topology: [...echo.topology, { op: 'suppress', of: 'n1' }] }],
    ['a field of an operation', { topology: [{ ...echo.topology[0], more: 1 }] }],
    ['a field of an option', { topology: [{ ...echo.topology[0], consumed: { more: 1 } }] }],
    ['a function', { topology: [echo.topology[0], { op: 'filter', of: 'n1', fn: 'other' }] }],
    [
      'a function without its argument',
      { topology: [echo.topology[0], { op: 'filter', of: 'n1', fn: 'valueEquals' }] },
    ],
    ['an id', { topology: [{ op: 'to', of: 'n9', topic: 'out' }] }],
    ['a serde', { topics: { in: { key: 'other' } } }],
    ['a step', { steps: [{ other: 1 }] }],
    ['a part of a pipe', { steps: [{ pipe: ['in', 'k', 'a', 1, [], 1] }] }],
    ['a property', { config: { 'no.such.property': 1 } }],
    ['a field of an expectation', { expect: [{ other: 1 }] }],
    ['a store operation', { steps: [{ store: 'none', other: [] }] }],
  ])('fails where it says %s that is not known', async (_what, changes) => {
    const outcome = await differences(changes).catch((error: Error) => [error.name])
    expect(outcome).not.toEqual([])
  })
})

describe('an error', () => {
  const streamError = (code: any, cause?: unknown) =>
    new StreamError('why', { code, kind: 'user', retriable: false, cause })

  it.each([
    ['IllegalStateException', streamError('PROCESSING_FAILED'), true],
    ['IllegalStateException', streamError('SERIALIZATION_FAILED'), false],
    ['SerializationException', streamError('PROCESSING_FAILED', streamError('SERIALIZATION_FAILED')), true],
    ['SerializationException', streamError('PROCESSING_FAILED'), false],
    ['TopologyException', streamError('TOPOLOGY_INVALID'), true],
    ['TopologyException', streamError('PROCESSING_FAILED'), false],
    ['ClassCastException', streamError('PROCESSING_FAILED'), true],
    ['ClassCastException', new TypeError('a bug'), false],
    ['ClassCastException', undefined, false],
    ['SerializationException', Object.assign(new Error('x'), { name: 'SerializationException' }), true],
  ])('of Kafka, %s, is the same kind as %s: %s', (expected, actual, same) => {
    expect(compareError('here', { class: expected, message: null }, actual).length).toBe(same ? 0 : 1)
  })

  it('that nobody expects is a difference', () => {
    expect(compareError('here', undefined, streamError('PROCESSING_FAILED'))).toHaveLength(1)
    expect(compareError('here', undefined, undefined)).toEqual([])
  })
})

describe('values', () => {
  it.each([
    [1, 1, true],
    [1, 1.5, false],
    [0, '-0', false],
    ['9223372036854775807', Number.MAX_SAFE_INTEGER, true],
    ['9223372036854775806', Number.MAX_SAFE_INTEGER, false],
    ['k[9223372036854775797,9223372036854775807]', 'k[9007199254740981,9007199254740991]', true],
    ['9223372036854775807', '9223372036854775807', true],
    [[1, 2], [1, 2, 3], false],
    [{ a: 1 }, { a: 1, b: 2 }, false],
    [null, undefined, false],
    [1e20, '100000000000000000000', true],
    [1e20, '100000000000000100000', false],
    [12, '12', false],
  ])('%j and %j are the same: %s', (expected, actual, same) => {
    expect(sameJson(expected, actual)).toBe(same)
  })

  it('[W1] have the times of Java that are near its end as near to ours', () => {
    expect([timeOf('9223372036854775807'), timeOf('9223372036854775800'), timeOf(5)]).toEqual([
      Number.MAX_SAFE_INTEGER,
      Number.MAX_SAFE_INTEGER - 7,
      5,
    ])
    const bytes = new Uint8Array([0x6b, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff])
    expect([...timesNearTheEnd(bytes, 1)]).toEqual([0x6b, 0, 0x1f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff])
    expect([...timesNearTheEnd(bytes.subarray(0, 3), 1)]).toEqual([0x6b, 0x7f, 0xff])
  })
})

describe('a dead letter', () => {
  const row = (exception: string, message: string, trace = 'at x') => [
    'dlq',
    null,
    null,
    1,
    [
      ['own', 'x'],
      ['__streams.errors.exception', exception],
      ['__streams.errors.message', message],
      ['__streams.errors.stacktrace', trace],
    ],
  ]
  const same = (expected: unknown[], actual: unknown[]) =>
    sameJson([expected], alignDeadLetters([expected] as never, [actual] as never))

  it('may say more than Kafka does, in an error of ours, but no less', () => {
    const expected = row('SerializationException', 'not 8', '...')
    expect(same(expected, row('StreamError', 'it is not 8: declare another'))).toBe(true)
    expect(same(expected, row('StreamError', 'something else'))).toBe(false)
    expect(same(expected, row('TypeError', 'not 8'))).toBe(false)
    expect(same(expected, row('StreamError', 'not 8', ''))).toBe(false)
    expect(same(row('IllegalStateException', 'x', '...'), row('StreamError', 'x'))).toBe(false)
  })
})

it('says of a store what the engine keeps in it', async () => {
  const file: Partial<CaseFile> = {
    kind: 'store',
    store: { type: 'keyValue' },
    steps: [{ put: ['a', '1'] }, { get: ['a'] }, { get: [null] }, { all: true }],
    expect: [
      { result: null },
      { result: '1' },
      { error: { class: 'NullPointerException', message: null } },
      { result: [['a', '1']] },
    ],
  }
  const { topology: _topology, ...rest } = echo
  expect(await differences({ ...rest, topology: undefined, ...file })).toEqual([])
})
