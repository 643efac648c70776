import { describe, expect, it } from 'vitest'
import { Consumed, Headers, Produced, type Serde, StreamError, StreamsBuilder, string } from '../src/index.js'
import { TopologyTestDriver } from '../src/testing/index.js'
import { harness } from './harness.js'

/** Reads texts whose first letter it has fetched before. */
function fetching(fetch: (letter: string, headers: Headers) => Promise<void>) {
  const known = new Set<string>()
  const seen: string[] = []
  const first = (bytes: Uint8Array) => string.deserialize('', Headers.empty, bytes).slice(0, 1)
  const serde: Serde<string> = {
    ...string,
    id: 'fetching',
    prepare: (bytes, headers) => {
      const letter = first(bytes)
      if (known.has(letter)) return undefined
      seen.push(letter)
      return fetch(letter, headers).then(() => {
        known.add(letter)
      })
    },
    deserialize: (topic, headers, bytes) => {
      if (!known.has(first(bytes))) throw new TypeError(`"${first(bytes)}" is not known`)
      return string.deserialize(topic, headers, bytes)
    },
  }
  return { serde, seen }
}

function copying(serde: Serde<string>) {
  const builder = new StreamsBuilder()
  builder.stream('in', Consumed.with(string, serde)).to('out', Produced.with(string, string))
  return builder.build()
}

describe('a serde that must fetch something before it reads', () => {
  it('is asked before its records are read, once for what it does not know', async () => {
    const { serde, seen } = fetching(async () => undefined)
    const run = await harness(copying(serde), { in: 1, out: 1 })
    await run.engine.start()
    await run.send('in', [
      ['k', 'apple', 1],
      ['k', null, 2],
    ])
    await run.drained()
    await run.send('in', [
      ['k', 'avocado', 3],
      ['k', 'banana', 4],
    ])
    await run.drained()
    await run.engine.stop()
    expect(seen).toEqual(['a', 'b'])
    expect((await run.read('out')).map(({ value }) => value)).toEqual(['apple', null, 'avocado', 'banana'])
  })

  it('[E4] starts over while it cannot be answered, and drops nothing, though the handler goes on', async () => {
    let failures = 2
    const { serde } = fetching(async () => {
      if (failures-- > 0) {
        throw new StreamError('no answer', { code: 'LOG_UNAVAILABLE', kind: 'operational', retriable: true })
      }
    })
    const config = { 'default.deserialization.exception.handler': 'continue' }
    const run = await harness(copying(serde), { in: 1, out: 1 }, config)
    await run.engine.start()
    await run.send('in', [['k', 'apple', 1]])
    await run.event('epoch-committed', ({ records }) => records === 1)
    await run.engine.stop()
    expect((await run.read('out')).map(({ value }) => value)).toEqual(['apple'])
  })

  it('[G1] leaves to the handler what it will never be answered', async () => {
    const { serde } = fetching(async (letter) => {
      if (letter === 'b') throw new TypeError('there is no b')
      if (letter === 'c') {
        throw new StreamError('nor a c', { code: 'REGISTRY_REFUSED', kind: 'user', retriable: false })
      }
    })
    const driver = new TopologyTestDriver(copying(serde), { 'default.deserialization.exception.handler': 'continue' })
    const input = driver.createInputTopic('in', string, string)
    for (const value of ['apple', 'banana', 'cherry', 'avocado']) await input.pipeInput('k', value, 1)
    const output = driver.createOutputTopic('out', string, string)
    expect(output.readKeyValuesToList().map(([, value]) => value)).toEqual(['apple', 'avocado'])
    expect(driver.counters).toMatchObject({ 'dropped_records_total{reason="deserialization"}': 2 })
  })

  it('sees the headers of the record', async () => {
    const met: string[] = []
    const { serde } = fetching(async (_letter, headers) => void met.push(...headers.toArray().map(({ key }) => key)))
    const driver = new TopologyTestDriver(copying(serde))
    const value = string.serialize('', Headers.empty, 'apple')
    const headers = [{ key: 'schema', value: null }]
    await driver.pipeRaw('in', { key: null, value, timestamp: 1, headers })
    expect(met).toEqual(['schema'])
  })
})
