import { describe, expect, it } from 'vitest'
import { Consumed, type KStream, Printed, StreamsBuilder, string } from '../index.js'
import { TopologyTestDriver } from '../testing/index.js'
import { keyCommaValue } from './Printed.js'

async function printedBy(told: (printed: Printed<any, any>) => Printed<any, any>) {
  const lines: string[] = []
  const builder = new StreamsBuilder()
  const stream: KStream<any, any> = builder.stream('in', Consumed.with(string, string))
  stream.print(told(Printed.to((line) => lines.push(line))))
  const topology = builder.build()
  const input = new TopologyTestDriver(topology).createInputTopic('in', string, string)
  await input.pipeInput('k', 'a', 1)
  await input.pipeInput(null, null, 2)
  return { lines, described: topology.describe() }
}

describe('print', () => {
  it('writes a line a record, under the name of the node above', async () => {
    const { lines, described } = await printedBy((printed) => printed)
    expect(lines).toEqual(['[KSTREAM-SOURCE-0000000000]: k, a', '[KSTREAM-SOURCE-0000000000]: null, null'])
    expect(described).toContain('Processor: KSTREAM-PRINTER-0000000001 (stores: [])\n      --> none')
  })

  it('takes a label, a name and a text of its own', async () => {
    const told = (printed: Printed<any, any>) =>
      printed
        .withLabel('L')
        .withName('P')
        .withKeyValueMapper((key, value) => `${value}@${key}`)
    const { lines, described } = await printedBy(told)
    expect(lines).toEqual(['[L]: a@k', '[L]: null@null'])
    expect(described).toContain('Processor: P (stores: [])')
  })

  it('goes nowhere from there', async () => {
    const builder = new StreamsBuilder()
    expect(builder.stream('in').print(Printed.toSysOut())).toBeUndefined()
  })

  it.each([
    [null, undefined, 'null, null'],
    [new Uint8Array([1, 255]), 5, '01ff, 5'],
    [{ key: 'k', window: { start: 0, end: 10 } }, { a: 1 }, '[k@0/10], {"a":1}'],
    ['', true, ', true'],
  ])('shows %j and %j as %j', (key, value, line) => {
    expect(keyCommaValue(key, value)).toBe(line)
  })
})
