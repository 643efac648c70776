import { describe, expect, it } from 'vitest'
import { type AnyJoin, piping, type Strings, slash, text } from '../../../test/piping.js'
import { string } from '../../serde/string.js'
import { Stores } from '../../state/builders/Stores.js'
import { TopologyTestDriver } from '../../testing/TopologyTestDriver.js'
import { Produced } from '../../topology/Produced.js'
import { parseConfig } from '../../topology/parseConfig.js'
import { JoinWindows } from '../JoinWindows.js'
import { StreamJoined } from '../StreamJoined.js'
import { StreamsBuilder } from '../StreamsBuilder.js'

function sides(builder: StreamsBuilder): [Strings, Strings] {
  return [builder.stream('l', text), builder.stream('r', text)]
}

const within = (diff: number, grace = 0) => JoinWindows.ofTimeDifferenceAndGrace(diff, grace)
const serdes = StreamJoined.with(string, string, string)

describe('a join of streams', () => {
  it.each([
    ['r', 96, []],
    ['r', 97, ['k l/x 100']],
    ['r', 107, ['k l/x 107']],
    ['r', 108, []],
  ])('[B.7] before 3, after 7: a left record of 100 meets %s at %i or not', async (topic, time, results) => {
    const { pipe } = piping((builder) => {
      const [left, right] = sides(builder)
      return left.join(right, slash, within(7).before(3), serdes)
    })
    await pipe('l k l 100')
    expect(await pipe(`${topic} k x ${time}`)).toEqual(results)
  })

  it.each([
    [92, []],
    [93, ['k x/r 100']],
    [103, ['k x/r 103']],
    [104, []],
  ])('[B.7] before 3, after 7: a right record of 100 meets a left one at %i or not', async (time, results) => {
    const { pipe } = piping((builder) => {
      const [left, right] = sides(builder)
      return left.join(right, slash, within(7).before(3), serdes)
    })
    await pipe('r k r 100')
    expect(await pipe(`l k x ${time}`)).toEqual(results)
  })

  it('gives the key last to the function, and meets no other key', async () => {
    const { pipe } = piping((builder) => {
      const [left, right] = sides(builder)
      return left.join(right, (one, other, key) => `${key}:${one}:${other}`, within(10), serdes)
    })
    await pipe('l a x 10')
    expect(await pipe('r b y 10')).toEqual([])
    expect(await pipe('r a z 10')).toEqual(['a a:x:z 10'])
  })

  it.each([
    [124, ['k L/R 101']],
    [125, []],
  ])('[B.7] reads a buffer by its own clock alone: at %i', async (clock, results) => {
    const { pipe } = piping((builder) => {
      const [left, right] = sides(builder)
      return left.join(right, slash, within(10, 5), serdes)
    })
    await pipe('l k L 100')
    await pipe(`l z x ${clock}`)
    expect(await pipe('r k R 101')).toEqual(results)
  })

  it('[G-38] [H-9] one side in the far future: its own late records are expired, and still meet the other', async () => {
    const { pipe, driver } = piping((builder) => {
      const [left, right] = sides(builder)
      return left.join(right, slash, within(10), serdes)
    })
    await pipe('l k now 100')
    await pipe('l k far 1000000000000')
    expect(await pipe('r k r 101')).toEqual([])
    expect(await pipe('l k late 102')).toEqual(['k late/r 102'])
    expect(driver.counters).toMatchObject({ 'dropped_records_total{reason="expired_segment"}': 1 })
  })

  it('drops and counts what has no key or no value', async () => {
    const { pipe, driver } = piping((builder) => {
      const [left, right] = sides(builder)
      return left.join(right, slash, within(10), serdes)
    })
    expect([await pipe('l - v 1'), await pipe('r k - 1'), await pipe('l - - 1')]).toEqual([[], [], []])
    expect(driver.counters).toMatchObject({
      'dropped_records_total{reason="null_key"}': 1,
      'dropped_records_total{reason="null_value"}': 2,
    })
  })

  it('is refused without windows of its own', () => {
    const [left, right] = sides(new StreamsBuilder())
    const join = left.join.bind(left) as unknown as AnyJoin
    expect(() => join(right, slash)).toThrow('Give JoinWindows after the function')
    expect(() => join(right, slash, { sizeMs: 10 })).toThrow('Give JoinWindows')
  })

  it('is refused a function that returns a promise', async () => {
    const { pipe } = piping((builder) => {
      const [left, right] = sides(builder)
      return left.join(right, (async () => 'x') as never, within(10), serdes)
    })
    await pipe('l k a 1')
    await expect(pipe('r k b 1')).rejects.toThrow('returned a promise')
  })
})

describe('what has no partner', () => {
  const outer = (grace: number) =>
    piping((builder) => {
      const [left, right] = sides(builder)
      return left.outerJoin(right, slash, within(10, grace), serdes)
    })

  it('[G-35] waits until the clock is beyond its window and the grace', async () => {
    const { pipe } = outer(5)
    await pipe('l k a 100')
    expect(await pipe('r z b 115')).toEqual([])
    expect(await pipe('r z c 116')).toEqual(['k a/null 100'])
    expect(await pipe('r z d 200')).toEqual(['z null/b 115', 'z null/c 116'])
  })

  it('[H-8] comes out at once when it is older than its window, whatever the grace, and again with a partner', async () => {
    const { pipe } = outer(5)
    await pipe('r z clock 110')
    expect(await pipe('r k edge 100')).toEqual([])
    expect(await pipe('r k old 99')).toEqual(['k null/old 99'])
    expect(await pipe('l k late 105')).toEqual(['k late/old 105', 'k late/edge 105'])
  })

  it('[B.7] is not looked for by a record that does not move the clock, nor by one without a key', async () => {
    const { pipe } = outer(0)
    await pipe('l k a 100')
    expect(await pipe('l - x 200')).toEqual(['- x/null 200'])
    expect(await pipe('l z y 150')).toEqual(['z y/null 150'])
    expect(await pipe('l z w 200')).toEqual(['k a/null 100'])
  })

  it('comes in the order of the times, of one time the right side first, then by key, each once', async () => {
    const { pipe } = outer(0)
    for (const record of ['l b 1 100', 'l a 2 100', 'r c 3 100', 'l a 4 100', 'r d 5 99']) await pipe(record)
    expect(await pipe('l z end 200')).toEqual([
      'd null/5 99',
      'c null/3 100',
      'a 2/null 100',
      'a 4/null 100',
      'b 1/null 100',
    ])
    expect(await pipe('l z end 300')).toEqual(['z end/null 200'])
  })

  it('waits as long under an empty key as under any other', async () => {
    const { pipe } = outer(5)
    await pipe('l k older 99')
    await pipe('l  a 100')
    expect(await pipe('r z b 115')).toEqual(['k older/null 99'])
    expect(await pipe('r z c 116')).toEqual([' a/null 100'])
  })

  it('[B.7] comes out at once, and again with its partner, under the deprecated windows', async () => {
    const { pipe } = piping((builder) => {
      const [left, right] = sides(builder)
      return left.leftJoin(right, slash, JoinWindows.of(10), serdes)
    })
    expect(await pipe('l k a 100')).toEqual(['k a/null 100'])
    expect(await pipe('r k b 105')).toEqual(['k a/b 105'])
    expect(await pipe('r z c 105')).toEqual([])
  })

  it('[W7] under a watermark comes out when that has passed, on its own, with the headers of none', async () => {
    const { pipe } = piping(
      (builder) => {
        const [left, right] = sides(builder)
        return left.outerJoin(right, slash, within(10, 5), serdes)
      },
      { 'time.mode': 'watermark', 'time.max-out-of-orderness-ms': 0 },
    )
    await pipe('l k a 100')
    await pipe('r z b 115')
    expect(await pipe('l z c 115')).toEqual(['z c/b 115'])
    expect(await pipe('r z d 116')).toEqual(['z c/d 116'])
    // The watermark is the smaller of the two sides', so the left one holds it back until now.
    expect(await pipe('l z e 116')).toEqual(['z e/b 116', 'z e/d 116', 'k a/null 100'])
  })
})

it.each([
  [92, []],
  [93, ['k b/b 93']],
])(
  '[C.2] over one store, at clock 111 with 20 ms of retention, a record of %i meets itself or not',
  async (time, results) => {
    const builder = new StreamsBuilder({ 'topology.optimization': 'all' })
    const stream = builder.stream('in', text)
    stream.join(stream, slash, within(10), serdes).to('out', Produced.with(string, string))
    const driver = new TopologyTestDriver(builder.build())
    const input = driver.createInputTopic('in', string, string)
    const output = driver.createOutputTopic('out', string, string)
    await input.pipeInput('k', 'a', 111)
    output.readRecordsToList()
    await input.pipeInput('k', 'b', time)
    expect(output.readRecordsToList().map((one) => `${one.key} ${one.value} ${one.timestamp}`)).toEqual(results)
  },
)

describe('[W2] under a watermark the clock of a join', () => {
  const config = { 'time.mode': 'watermark', 'time.max-out-of-orderness-ms': 0 }

  it('is that of the side that is behind: what is late for its own side alone still waits, and is still found', async () => {
    const { pipe } = piping((builder) => {
      const [left, right] = sides(builder)
      return left.leftJoin(right, slash, within(10), serdes)
    }, config)
    expect(await pipe('l z far 100000')).toEqual([])
    expect(await pipe('l k late 100')).toEqual([])
    expect(await pipe('r k partner 105')).toEqual(['k late/partner 105'])
    expect(await pipe('r z end 100050')).toEqual([])
  })
})

describe('[C.2] a stream joined with itself over one store', () => {
  // As seen on Kafka Streams 4.4.0.
  it.each([
    [
      within(10),
      ['k a/a 111'],
      ['k b/b 99'],
      ['k c/b 105', 'k c/a 111', 'k b/c 105', 'k c/c 105', 'k a/c 111'],
      ['k d/b 105', 'k d/c 105', 'k d/a 111', 'k b/d 105', 'k c/d 105', 'k d/d 105', 'k a/d 111'],
    ],
    [
      within(10).before(5),
      ['k a/a 111'],
      ['k b/b 99'],
      ['k c/a 111', 'k b/c 105', 'k c/c 105'],
      ['k d/c 105', 'k d/a 111', 'k b/d 105', 'k c/d 105', 'k d/d 105'],
    ],
    [within(10).after(-6), ['k a/a 111'], [], ['k a/c 111'], ['k a/d 111']],
    [within(10).before(-6), ['k a/a 111'], [], ['k c/a 111'], ['k d/a 111']],
  ])('gives pairs in the order of two stores, and itself while it would be kept: %#', async (windows, ...results) => {
    const builder = new StreamsBuilder({ 'topology.optimization': 'all' })
    const stream = builder.stream('in', text)
    stream.join(stream, slash, windows, serdes).to('out', Produced.with(string, string))
    const driver = new TopologyTestDriver(builder.build())
    expect([...driver.topology.stores].map(({ name }) => name)).toEqual(['KSTREAM-JOINTHIS-0000000003-store'])
    const input = driver.createInputTopic('in', string, string)
    const output = driver.createOutputTopic('out', string, string)
    const seen: string[][] = []
    for (const [value, time] of [
      ['a', 111],
      ['b', 99],
      ['c', 105],
      ['d', 105],
    ] as const) {
      await input.pipeInput('k', value, time)
      seen.push(output.readRecordsToList().map((one) => `${one.key} ${one.value} ${one.timestamp}`))
    }
    expect(seen).toEqual(results)
  })
})

describe('the buffers of a join', () => {
  const buffer = (name: string, options: { retentionMs?: number; windowSizeMs?: number; retainDuplicates?: boolean }) =>
    Stores.window<string, string>(name, { retentionMs: 25, windowSizeMs: 20, retainDuplicates: true, ...options })
  const build = (joined: StreamJoined<any, any, any>) => {
    const builder = new StreamsBuilder()
    const [left, right] = sides(builder)
    left.join(right, slash, within(10, 5), joined)
    return builder.build()
  }

  it('may be picked, if they keep duplicates and fit the windows', () => {
    const fit = StreamJoined.withStores(buffer('x', {}), buffer('y', {}))
    expect([...build(fit).definition.stores.keys()]).toEqual(['x', 'y'])
    const refused = (options: Parameters<typeof buffer>[1]) => () =>
      build(serdes.withThisStoreSupplier(buffer('x', options)))
    expect(refused({ retainDuplicates: false })).toThrow('must set retainDuplicates=true, found retainDuplicates=false')
    expect(refused({ retentionMs: 26 })).toThrow('Window settings mismatch')
    expect(refused({ windowSizeMs: 19 })).toThrow('Window settings mismatch')
    expect(() => build(serdes.withOtherStoreSupplier(buffer('y', { retentionMs: 24 })))).toThrow('"y"')
    expect(() => build(StreamJoined.withStores(buffer('x', {}), buffer('x', {})))).toThrow('the same name')
  })

  it("[C.3] take the stream's serdes where StreamJoined is silent, but under compat the defaults", () => {
    const builder = new StreamsBuilder()
    const [left, right] = sides(builder)
    left.leftJoin(right, slash, within(10), StreamJoined.as('s'))
    const serdesOf = (compat: string) => {
      const { stores } = builder.build().compile({ ...configWith(compat) })
      return stores.map(({ name, key, value }) => [name, key.label, value.label])
    }
    expect(serdesOf('repair')).toEqual([
      ['s-this-join-store', 'string', 'string'],
      ['s-outer-other-join-store', 'string', 'string'],
      ['s-left-shared-join-store', 'waitingKey(string)', 'unjoinedValues(string,string)'],
    ])
    expect(serdesOf('kafka-streams').map(([, key]) => key)).toEqual(['?', '?', '?'])
  })
})

function configWith(compat: string) {
  return parseConfig({ compat })
}
