import { describe, expect, it } from 'vitest'
import { string } from '../../serde/string.js'
import { TopologyTestDriver } from '../../testing/TopologyTestDriver.js'
import { Consumed } from '../../topology/Consumed.js'
import { Joined } from '../Joined.js'
import { JoinWindows } from '../JoinWindows.js'
import type { KStream } from '../KStream.js'
import { Named } from '../Named.js'
import { StreamJoined } from '../StreamJoined.js'
import { StreamsBuilder } from '../StreamsBuilder.js'

type Strings = KStream<string | null, string | null>
/** Whose kind of join is a parameter of the test. */
type AnyJoin = (...args: unknown[]) => KStream<any, any>

const within = JoinWindows.ofTimeDifferenceAndGrace(5, 5)
const left = (value: unknown) => value
const text = Consumed.with(string, string)
const unnamed = StreamJoined.with<any, any, any>(string, string, string)

/** Names of all nodes but the sources of topics, and of all stores, in the order of insertion. */
function names(write: (builder: StreamsBuilder, l: Strings, r: Strings) => void): [nodes: string[], stores: string[]] {
  const builder = new StreamsBuilder()
  write(builder, builder.stream('l', text), builder.stream('r', text))
  const { definition } = builder.build()
  const nodes = [...definition.nodes.keys()].filter((name) => !/^KSTREAM-SOURCE-000000000[01]$/.test(name))
  return [nodes, [...definition.stores.keys()]]
}

const rekeyed = (stream: Strings): Strings => stream.selectKey((key) => key, Named.as('SEL'))

describe('the names of joins (kafka-streams.md C.1)', () => {
  it.each([
    ['join', 'JOINTHIS', 'JOINOTHER', []],
    ['leftJoin', 'JOINTHIS', 'OUTEROTHER', ['KSTREAM-OUTERSHARED-0000000004-store']],
    ['outerJoin', 'OUTERTHIS', 'OUTEROTHER', ['KSTREAM-OUTERSHARED-0000000004-store']],
  ] as const)('%s uses up five numbers', (kind, one, other, shared) => {
    const [nodes, stores] = names((_builder, l, r) => (l[kind] as AnyJoin)(r, left, within, unnamed).to('out'))
    expect(nodes).toEqual([
      'KSTREAM-WINDOWED-0000000002',
      'KSTREAM-WINDOWED-0000000003',
      `KSTREAM-${one}-0000000004`,
      `KSTREAM-${other}-0000000005`,
      'KSTREAM-MERGE-0000000006',
      'KSTREAM-SINK-0000000007',
    ])
    expect(stores.sort()).toEqual(
      [`KSTREAM-${one}-0000000004-store`, `KSTREAM-${other}-0000000005-store`, ...shared].sort(),
    )
  })

  it.each([
    ['join', ['N-this-join', 'N-other-join'], ['S-this-join-store', 'S-other-join-store']],
    [
      'leftJoin',
      ['N-this-join', 'N-outer-other-join'],
      ['S-this-join-store', 'S-outer-other-join-store', 'S-left-shared-join-store'],
    ],
    [
      'outerJoin',
      ['N-outer-this-join', 'N-outer-other-join'],
      ['S-outer-this-join-store', 'S-outer-other-join-store', 'S-outer-shared-join-store'],
    ],
  ] as const)('%s takes names for nodes and stores apart', (kind, joins, stores) => {
    const named = StreamJoined.as<any, any, any>('S').withName('N')
    const [nodes, made] = names((_builder, l, r) => (l[kind] as AnyJoin)(r, left, within, named).to('out'))
    expect(nodes).toEqual(['N-this-windowed', 'N-other-windowed', ...joins, 'N-merge', 'KSTREAM-SINK-0000000007'])
    expect(made.sort()).toEqual([...stores].sort())
  })

  it('the deprecated windows need no store for what waits', () => {
    expect(names((_builder, l, r) => l.outerJoin(r, left, JoinWindows.of(5), unnamed))[1]).toHaveLength(2)
  })

  it('cross in front of the join, each changed side, after its own name or that of its node', () => {
    const boundaries = (write: Parameters<typeof names>[0]) =>
      names(write)[0].filter((name) => name.includes('repartition-filter'))
    expect(boundaries((_builder, l, r) => rekeyed(l).join(rekeyed2(r), left, within, unnamed.withName('N')))).toEqual([
      'N-left-repartition-filter',
      'N-right-repartition-filter',
    ])
    expect(boundaries((_builder, l, r) => rekeyed(l).join(r, left, within, unnamed))).toEqual([
      'SEL-repartition-filter',
    ])
    expect(boundaries((_builder, l, r) => l.join(r, left, within, unnamed))).toEqual([])
    expect(boundaries((builder, l) => rekeyed(l).join(builder.table('t', text), left, Joined.as('J')))).toEqual([
      'J-repartition-filter',
    ])
    expect(boundaries((builder, l) => rekeyed(l).join(builder.globalTable('g', text), (key) => key, left))).toEqual([])
  })

  it('joins of one stream share a boundary that they do not name, and use its numbers up', () => {
    const [nodes] = names((builder, l, r) => {
      const stream = rekeyed(l)
      stream.join(builder.table('t', text), left)
      stream.join(builder.table('u', text), left)
      stream.leftJoin(r, left, within, unnamed.withName('N'))
    })
    expect(nodes.filter((name) => name.includes('repartition-filter'))).toEqual([
      'SEL-repartition-filter',
      'N-left-repartition-filter',
    ])
    expect(nodes.filter((name) => name.includes('-JOIN-'))).toEqual([
      'KSTREAM-JOIN-0000000009',
      'KSTREAM-JOIN-0000000016',
    ])
  })

  it('of tables use up one number, and both kinds of a global one have the same name', () => {
    const last = (write: Parameters<typeof names>[0]) => names(write)[0].at(-1)
    expect(last((builder, l) => l.join(builder.table('t', text), left))).toBe('KSTREAM-JOIN-0000000005')
    expect(last((builder, l) => l.leftJoin(builder.table('t', text), left))).toBe('KSTREAM-LEFTJOIN-0000000005')
    expect(last((builder, l) => l.leftJoin(builder.table('t', text), left, Joined.as('J')).filter(() => true))).toBe(
      'KSTREAM-FILTER-0000000006',
    )
    for (const kind of ['join', 'leftJoin'] as const) {
      expect(last((builder, l) => (l[kind] as AnyJoin)(builder.globalTable('g', text), left, left))).toBe(
        'KSTREAM-LEFTJOIN-0000000005',
      )
    }
  })
})

function rekeyed2(stream: Strings): Strings {
  return stream.selectKey((key) => key, Named.as('SEL2'))
}

describe('null keys at the boundary in front of a join (C.2)', () => {
  const run = async (...kinds: ('join' | 'leftJoin')[]) => {
    const builder = new StreamsBuilder()
    const text = Consumed.with(string, string)
    const stream = (builder.stream('in', text) as Strings).selectKey(() => null as string | null)
    for (const kind of kinds) {
      const joined = (stream[kind] as AnyJoin)(
        builder.table(`t-${kind}`, text),
        (value: unknown, row: unknown) => `${value}/${row}`,
      )
      joined.to(kind)
    }
    const driver = new TopologyTestDriver(builder.build(), {
      'default.key.serde': 'string',
      'default.value.serde': 'string',
    })
    await driver.createInputTopic('in', string, string).pipeInput('k', 'v', 1)
    const out = driver.createOutputTopic('leftJoin', string, string).readKeyValuesToList()
    const count = (name: string) => driver.counters[name] ?? 0
    return [
      out,
      count('silent_loss_total{reason="null_key_after_rekey"}'),
      count('dropped_records_total{reason="null_key"}'),
    ]
  }

  it('are lost in front of an inner join, and told', async () => {
    expect(await run('join')).toEqual([[], 1, 0])
  })

  it('cross in front of a left one', async () => {
    expect(await run('leftJoin')).toEqual([[[null, 'v/null']], 0, 0])
  })

  it.each([[['join', 'leftJoin']], [['leftJoin', 'join']]] as const)(
    'cross for all that share the boundary if one wants them: %s',
    async (kinds) => {
      expect(await run(...kinds)).toEqual([[[null, 'v/null']], 0, 1])
    },
  )
})
