import { describe, expect, it } from 'vitest'
import type { ProcessorSupplier } from '../processor/Processor.js'
import { json } from '../serde/json.js'
import { string } from '../serde/string.js'
import { Stores } from '../state/builders/Stores.js'
import { Consumed } from '../topology/Consumed.js'
import { Produced } from '../topology/Produced.js'
import { parseConfig } from '../topology/parseConfig.js'
import { Grouped } from './Grouped.js'
import type { KStream } from './KStream.js'
import { Materialized } from './Materialized.js'
import { Named } from './Named.js'
import { Repartitioned } from './Repartitioned.js'
import { StreamsBuilder } from './StreamsBuilder.js'
import { TimeWindows } from './TimeWindows.js'

const echo: ProcessorSupplier<any, any, any, any> = { get: () => ({ process() {} }) }
const windows = TimeWindows.ofSizeAndGrace(10, 5)
type Strings = KStream<string | null, string | null>

/** Names of nodes and repartition topics, in the order of insertion. */
function names(write: (stream: Strings, builder: StreamsBuilder) => void): string[] {
  const builder = new StreamsBuilder()
  write(builder.stream('in', Consumed.with(string, string)), builder)
  return [...builder.build().definition.nodes.keys()]
}

describe('generated names (kafka-streams.md C.1)', () => {
  it('have one counter for all operators, from 0, ten digits wide', () => {
    const all = names((stream) => {
      const left = stream
        .filter(() => true)
        .filterNot(() => true)
        .map((k, v) => [k, v])
      left
        .mapValues((v) => v)
        .selectKey((k) => k)
        .peek(() => undefined)
        .merge(left)
        .process(echo)
        .foreach(() => undefined)
      left.to('out')
    })
    expect(all).toEqual([
      'KSTREAM-SOURCE-0000000000',
      'KSTREAM-FILTER-0000000001',
      'KSTREAM-FILTER-0000000002',
      'KSTREAM-MAP-0000000003',
      'KSTREAM-MAPVALUES-0000000004',
      'KSTREAM-KEY-SELECT-0000000005',
      'KSTREAM-PEEK-0000000006',
      'KSTREAM-MERGE-0000000007',
      'KSTREAM-PROCESSOR-0000000008',
      'KSTREAM-FOREACH-0000000009',
      'KSTREAM-SINK-0000000010',
    ])
  })

  it('use up a number when a name is given, so that later names stay', () => {
    const all = names((stream) => {
      stream.filter(() => true, Named.as('F')).to('out', Produced.as('S'))
      stream.peek(() => undefined)
    })
    expect(all).toEqual(['KSTREAM-SOURCE-0000000000', 'F', 'S', 'KSTREAM-PEEK-0000000003'])
  })

  it('use up none for a named process', () => {
    const all = names((stream) => stream.process(echo, Named.as('P')).peek(() => undefined))
    expect(all).toEqual(['KSTREAM-SOURCE-0000000000', 'P', 'KSTREAM-PEEK-0000000001'])
  })

  it('name a source by Consumed, a pattern too', () => {
    const builder = new StreamsBuilder()
    builder.stream(/in-.*/, Consumed.with(string, string).withName('S'))
    builder.stream('x')
    expect([...builder.build().definition.nodes.keys()]).toEqual(['S', 'KSTREAM-SOURCE-0000000001'])
  })

  it('count the store of an unnamed count, and not that of a named one', () => {
    const unnamed = names((stream) => stream.groupByKey().windowedBy(windows).count().toStream())
    expect(unnamed.slice(1)).toEqual(['KSTREAM-AGGREGATE-0000000002', 'KTABLE-TOSTREAM-0000000003'])
    const named = names((stream) => stream.groupByKey().windowedBy(windows).count(Materialized.as('w')).toStream())
    expect(named.slice(1)).toEqual(['KSTREAM-AGGREGATE-0000000001', 'KTABLE-TOSTREAM-0000000002'])
  })

  it('take one number in vain for a count with an unnamed Materialized', () => {
    const all = names((stream) => {
      const materialized = Materialized.with<string, number>(string, undefined)
      stream.groupByKey().windowedBy(windows).count(materialized).toStream()
    })
    expect(all.slice(1)).toEqual(['KSTREAM-AGGREGATE-0000000003', 'KTABLE-TOSTREAM-0000000004'])
  })

  it('take the name of the count and of toStream', () => {
    const all = names((stream) => {
      const counts = stream.groupByKey().windowedBy(windows).count(Named.as('AGG'), Materialized.as('w'))
      counts.toStream(Named.as('TS')).to('out')
    })
    expect(all.slice(1)).toEqual(['AGG', 'TS', 'KSTREAM-SINK-0000000003'])
  })
})

describe('names of a repartition', () => {
  it('are numbered in the order sink, filter, source when the store is unnamed', () => {
    const all = names((stream) =>
      stream
        .selectKey((_k, v) => v)
        .groupByKey()
        .windowedBy(windows)
        .count(),
    )
    expect(all.slice(1)).toEqual([
      'KSTREAM-KEY-SELECT-0000000001',
      'KSTREAM-FILTER-0000000005',
      'KSTREAM-SINK-0000000004',
      'KSTREAM-SOURCE-0000000006',
      'KSTREAM-AGGREGATE-0000000003',
    ])
  })

  it('come from the store, or from Grouped before it, and use up three numbers all the same', () => {
    const byStore = names((stream) =>
      stream
        .selectKey((_k, v) => v)
        .groupByKey()
        .windowedBy(windows)
        .count(Materialized.as('w'))
        .toStream(),
    )
    expect(byStore.slice(2)).toEqual([
      'w-repartition-filter',
      'w-repartition-sink',
      'w-repartition-source',
      'KSTREAM-AGGREGATE-0000000002',
      'KTABLE-TOSTREAM-0000000006',
    ])
    const byGrouped = names((stream) =>
      stream
        .selectKey((_k, v) => v)
        .groupByKey(Grouped.as('G'))
        .windowedBy(windows)
        .count(Materialized.as('w')),
    )
    expect(byGrouped.slice(2, 5)).toEqual(['G-repartition-filter', 'G-repartition-sink', 'G-repartition-source'])
  })

  it('are shared by two counts of one named grouping, and not of an unnamed one', () => {
    const twice = (grouped: Grouped<string, string> | undefined) => (stream: Strings) => {
      const group = stream.selectKey((_k, v) => v).groupByKey(grouped)
      group.windowedBy(windows).count()
      group.windowedBy(windows).count()
    }
    const shared = names(twice(Grouped.as('G')))
    expect(shared.filter((name) => name.endsWith('-filter'))).toEqual(['G-repartition-filter'])
    expect(shared.at(-1)).toBe('KSTREAM-AGGREGATE-0000000008')
    expect(names(twice(undefined)).filter((name) => name.includes('FILTER'))).toHaveLength(2)
  })

  it('are refused when two groupings have one name', () => {
    const build = () =>
      names((stream) => {
        const rekeyed = stream.selectKey((_k, v) => v)
        for (let i = 0; i < 2; i++) rekeyed.groupByKey(Grouped.as('G')).windowedBy(windows).count()
      })
    expect(build).toThrow('Processor G-repartition-filter is already added.')
  })
})

describe('[V4] [G-61] one topic read twice', () => {
  it('is one source, and both uses hang on it; the second name is used up', () => {
    const builder = new StreamsBuilder()
    builder.stream('a').to('x')
    builder.stream('a').to('y')
    expect([...builder.build().definition.nodes.keys()]).toEqual([
      'KSTREAM-SOURCE-0000000000',
      'KSTREAM-SINK-0000000001',
      'KSTREAM-SINK-0000000003',
    ])
  })

  it('takes the serdes of whichever read declares them', () => {
    const builder = new StreamsBuilder()
    builder.stream('a').to('x')
    builder.stream('a', Consumed.with(json(), undefined)).to('y')
    const compiled = builder.build().compile(parseConfig({}))
    expect(compiled.node('KSTREAM-SOURCE-0000000000').key.label).toBe('json')
  })

  it('is refused when the two disagree', () => {
    const builder = new StreamsBuilder()
    builder.stream('a', Consumed.with(json(), undefined))
    expect(() => builder.stream('a', Consumed.with(string, undefined))).toThrow(
      'different key serdes: "json" and "string"',
    )
    expect(() => builder.stream('a', Consumed.deserializers(json(), undefined))).toThrow('different key serdes')
  })

  it('is refused when the topics overlap without being equal', () => {
    const builder = new StreamsBuilder()
    builder.stream(['a', 'b'])
    expect(() => builder.stream(['b', 'a'])).not.toThrow()
    expect(() => builder.stream(['b', 'c'])).toThrow('overlapping but not equal input topics')
  })
})

describe('process', () => {
  it('connects the stores that are named, after a name or without one', () => {
    const all = (named: boolean) => {
      const builder = new StreamsBuilder()
      builder.addStateStore(Stores.keyValue('a', string, string)).addStateStore(Stores.keyValue('b', string, string))
      const stream = builder.stream('in', Consumed.with(string, string))
      if (named) stream.process(echo, Named.as('P'), 'a', 'b')
      else stream.process(echo, 'a', 'b')
      return builder.build().compile(parseConfig({})).nodes[1]
    }
    expect(all(true)).toMatchObject({ name: 'P', stores: ['a', 'b'] })
    expect(all(false)).toMatchObject({ name: 'KSTREAM-PROCESSOR-0000000001', stores: ['a', 'b'] })
  })

  it('refuses a store that is not there', () => {
    expect(() => names((stream) => stream.process(echo, 'nope'))).toThrow('StateStore "nope" is not added yet')
  })
})

it('builds a new topology at each call', () => {
  const builder = new StreamsBuilder()
  builder.stream('a').to('x')
  const first = builder.build()
  builder.stream('b').to('y')
  expect(first.definition.nodes.size).toBe(2)
  expect(builder.build().definition.nodes.size).toBe(4)
})

describe('generated names of the later operators (kafka-streams.md C.1)', () => {
  it('flatMap, flatMapValues, processValues and groupBy count one each', () => {
    const all = names((stream) => {
      stream
        .flatMap((k, v) => [[k, v]])
        .flatMapValues((v) => [v])
        .processValues(echo)
        .groupBy((_k, v) => v)
      stream.to('out')
    })
    expect(all.slice(1)).toEqual([
      'KSTREAM-FLATMAP-0000000001',
      'KSTREAM-FLATMAPVALUES-0000000002',
      'KSTREAM-PROCESSVALUES-0000000003',
      'KSTREAM-KEY-SELECT-0000000004',
      'KSTREAM-SINK-0000000005',
    ])
  })

  it('[H-13] take a name, which uses up a number except for processValues', () => {
    const all = names((stream) => {
      stream.flatMap((k, v) => [[k, v]], Named.as('F')).flatMapValues((v) => [v], Named.as('FV'))
      stream.processValues(echo, Named.as('PV')).peek(() => undefined)
    })
    expect(all.slice(1)).toEqual(['F', 'FV', 'PV', 'KSTREAM-PEEK-0000000003'])
  })

  it("groupBy's key selector takes the name of Grouped", () => {
    const all = names((stream) =>
      stream
        .groupBy((_k, v) => v, Grouped.as('G'))
        .count()
        .toStream(),
    )
    expect(all.slice(1)).toEqual([
      'G',
      'G-repartition-filter',
      'G-repartition-sink',
      'G-repartition-source',
      'KSTREAM-AGGREGATE-0000000003',
      'KTABLE-TOSTREAM-0000000007',
    ])
  })

  it('repartition counts one and three, and only three when it is named', () => {
    const unnamed = names((stream) => stream.repartition().to('out'))
    expect(unnamed.slice(1)).toEqual([
      'KSTREAM-FILTER-0000000003',
      'KSTREAM-SINK-0000000002',
      'KSTREAM-SOURCE-0000000004',
      'KSTREAM-SINK-0000000005',
    ])
    const named = names((stream) => stream.repartition(Repartitioned.as('R')).to('out'))
    expect(named.slice(1)).toEqual([
      'R-repartition-filter',
      'R-repartition-sink',
      'R-repartition-source',
      'KSTREAM-SINK-0000000004',
    ])
  })

  it('count, reduce and aggregate count their store and themselves', () => {
    const all = names((stream) => {
      const group = stream.groupByKey()
      group.count()
      group.reduce((a) => a)
      group.aggregate(
        () => '',
        (_k, v) => v,
      )
    })
    expect(all.slice(1)).toEqual([
      'KSTREAM-AGGREGATE-0000000002',
      'KSTREAM-REDUCE-0000000004',
      'KSTREAM-AGGREGATE-0000000006',
    ])
  })

  it('a named store counts nothing; count alone takes a number in vain for an unnamed Materialized', () => {
    const last = (write: (stream: Strings) => void) => names(write).at(-1)
    expect(last((stream) => stream.groupByKey().count(Materialized.as('c')))).toBe('KSTREAM-AGGREGATE-0000000001')
    const unnamed = Materialized.with<string, any>(string, undefined)
    expect(last((stream) => stream.groupByKey().count(unnamed))).toBe('KSTREAM-AGGREGATE-0000000003')
    expect(last((stream) => stream.groupByKey().count(Named.as('N'), unnamed).toStream())).toBe(
      'KTABLE-TOSTREAM-0000000004',
    )
    expect(last((stream) => stream.groupByKey().count(Named.as('N')).toStream())).toBe('KTABLE-TOSTREAM-0000000003')
    expect(last((stream) => stream.groupByKey().reduce((a) => a, unnamed))).toBe('KSTREAM-REDUCE-0000000002')
    const start = () => ''
    expect(last((stream) => stream.groupByKey().aggregate(start, (_k, v) => v, unnamed))).toBe(
      'KSTREAM-AGGREGATE-0000000002',
    )
  })

  it('toStream with a mapper is two nodes, of which a name is the first', () => {
    const mapped = (named?: Named) =>
      names((stream) =>
        stream
          .groupByKey()
          .count(Materialized.as('c'))
          .toStream((k) => k, named),
      ).slice(2)
    expect(mapped()).toEqual(['KTABLE-TOSTREAM-0000000002', 'KSTREAM-KEY-SELECT-0000000003'])
    expect(mapped(Named.as('TS'))).toEqual(['TS', 'KSTREAM-KEY-SELECT-0000000003'])
  })
})
