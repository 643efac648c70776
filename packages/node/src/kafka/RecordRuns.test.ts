import { type LogRecord, type OutputRecord, visitOutputs } from '@lanescope/core'
import { describe, expect, it } from 'vitest'
import { RecordRuns } from './RecordRuns.js'
import { decodeRecordBatches } from './records/decodeRecordBatches.js'

const record = (partition: number, bytes: number, more: Partial<OutputRecord> = {}): OutputRecord => ({
  topic: 't',
  partition,
  key: null,
  value: new Uint8Array(bytes),
  timestamp: 0,
  headers: [],
  ...more,
})
/** Value, its length, times, offset, no key, no headers, attributes: a record takes 7 or 8 bytes more than its value. */
const two = [record(0, 60), record(0, 60)]
const HEAD = 61

function cut(records: readonly OutputRecord[], maxBytesOf: (topic: string) => number) {
  const runs = new RecordRuns(maxBytesOf)
  visitOutputs(records, (output) => runs.add(output))
  return [...runs.rounds()]
}
const shape = (rounds: ReturnType<typeof cut>) =>
  rounds.map(({ runs }) => runs.map(({ topic, partition, length }) => [topic, partition, length]))

describe('Cutting an epoch into batches', () => {
  it('keeps together what fits to the byte, and cuts one byte earlier', async () => {
    const [whole] = cut(two, () => 10_000)
    const producer = { producerId: 1n, producerEpoch: 0, firstSequence: 0, isTransactional: false }
    const size = (await whole?.runs[0]?.encode(producer, undefined))?.length as number
    expect(size).toBeGreaterThan(HEAD + 120)
    expect(shape(cut(two, () => size))).toEqual([[['t', 0, 2]]])
    expect(shape(cut(two, () => size - 1))).toEqual([[['t', 0, 1]], [['t', 0, 1]]])
  })

  it('counts keys and headers', async () => {
    const heavy = record(0, 0, { key: new Uint8Array(30), headers: [{ key: 'é', value: new Uint8Array(20) }] })
    const [whole] = cut([record(0, 1), heavy], () => 10_000)
    const producer = { producerId: 1n, producerEpoch: 0, firstSequence: 0, isTransactional: false }
    const size = (await whole?.runs[0]?.encode(producer, undefined))?.length as number
    expect(shape(cut([record(0, 1), heavy], () => size))).toEqual([[['t', 0, 2]]])
    expect(shape(cut([record(0, 1), heavy], () => size - 1))).toHaveLength(2)
  })

  it('counts each partition and topic by itself, and sends what is first of each together', () => {
    const all = [...two, record(1, 60), record(0, 60, { topic: 'u' }), record(1, 60), record(1, 60)]
    expect(shape(cut(all, () => 140))).toEqual([
      [
        ['t', 0, 1],
        ['t', 1, 1],
        ['u', 0, 1],
      ],
      [
        ['t', 0, 1],
        ['t', 1, 1],
      ],
      [['t', 1, 1]],
    ])
  })

  it('keeps the order of a partition', async () => {
    const five = Array.from({ length: 5 }, (_, i) => record(0, 60, { key: Uint8Array.of(i) }))
    const rounds = cut(five, () => 210)
    const keys: number[] = []
    for (const { runs } of rounds) {
      for (const run of runs) {
        const producer = { producerId: 1n, producerEpoch: 0, firstSequence: 0, isTransactional: false }
        const { batches } = await decodeRecordBatches(await run.encode(producer, undefined), () => undefined)
        const records: LogRecord[] = []
        for (const batch of batches) batch.take(0, records, Number.POSITIVE_INFINITY)
        keys.push(...records.map(({ key }) => key?.[0] as number))
      }
    }
    expect(rounds).toHaveLength(3)
    expect(keys).toEqual([0, 1, 2, 3, 4])
  })

  it('lets a record that is too large go alone: the broker has the last word', () => {
    expect(shape(cut([record(0, 999), record(0, 1)], () => 200))).toEqual([[['t', 0, 1]], [['t', 0, 1]]])
    expect(cut([], () => 200)).toEqual([])
  })

  it('goes by the limit of the topic, and gives kafkajs the runs by topic', () => {
    const rounds = cut(
      [record(0, 60), record(0, 60, { topic: 'small' }), ...two, record(0, 60, { topic: 'small' })],
      (topic) => (topic === 'small' ? 140 : 400),
    )
    expect(shape(rounds)).toEqual([
      [
        ['t', 0, 3],
        ['small', 0, 1],
      ],
      [['small', 0, 1]],
    ])
    expect(rounds[0]?.topicMessages.map(({ topic, messages }) => [topic, messages.length])).toEqual([
      ['t', 1],
      ['small', 1],
    ])
  })
})
