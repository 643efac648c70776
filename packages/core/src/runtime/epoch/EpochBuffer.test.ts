import { describe, expect, it } from 'vitest'
import type { OutputRecord } from '../RecordLog.js'
import { EpochBuffer } from './EpochBuffer.js'

const output: OutputRecord = { topic: 'out', partition: 0, key: null, value: null, timestamp: 0, headers: [] }

describe('EpochBuffer', () => {
  it.each([
    ['a record', (epoch: EpochBuffer) => epoch.records++],
    ['a timer', (epoch: EpochBuffer) => epoch.timersFired++],
    ['an output', (epoch: EpochBuffer) => epoch.output(output)],
    ['another change', (epoch: EpochBuffer) => epoch.touch()],
    ['something that was counted', (epoch: EpochBuffer) => epoch.count('dropped')],
  ])('[E3] %s alone is reason to commit; what is taken leaves nothing behind', (_name, change) => {
    const epoch = new EpochBuffer()
    expect([epoch.isEmpty, epoch.take().isEmpty]).toEqual([true, true])
    change(epoch)
    expect(epoch.isEmpty).toBe(false)
    expect(epoch.take().isEmpty).toBe(false)
    expect(epoch.isEmpty).toBe(true)
    const rest = epoch.take()
    expect(rest).toMatchObject({ records: 0, timersFired: 0, isEmpty: true })
    expect([...rest.outputs]).toEqual([])
  })

  it('[E3] knows the bytes that wait for the cut, which are no outputs', () => {
    const epoch = new EpochBuffer()
    epoch.touch()
    epoch.touch(30)
    epoch.touch(4)
    expect([epoch.heldBytes, epoch.bytes]).toEqual([34, 0])
    expect(epoch.take().bytes).toBe(0)
    expect(epoch.heldBytes).toBe(0)
  })

  it('[G3] gives by how much counters are to move', () => {
    const epoch = new EpochBuffer()
    for (const counter of ['a', 'b', 'a']) epoch.count(counter)
    expect([...epoch.take().counts]).toEqual([
      ['a', 2],
      ['b', 1],
    ])
    expect([...epoch.take().counts]).toEqual([])
  })

  it('gives what it counted, outputs in order', () => {
    const epoch = new EpochBuffer()
    const other = { ...output, partition: 1 }
    epoch.output(output)
    epoch.output(other)
    epoch.records += 2
    epoch.timersFired++
    const taken = epoch.take()
    expect(taken).toMatchObject({ records: 2, timersFired: 1, isEmpty: false })
    expect([...taken.outputs]).toEqual([output, other])
  })

  it('[E3] knows the bytes of its outputs: keys, values and headers', () => {
    const epoch = new EpochBuffer()
    const bytes = (length: number) => new Uint8Array(length)
    epoch.output({ ...output, key: bytes(1), value: bytes(20) })
    expect(epoch.bytes).toBe(21)
    epoch.output({
      ...output,
      headers: [
        { key: 'abc', value: bytes(400) },
        { key: 'd', value: null },
      ],
    })
    expect(epoch.bytes).toBe(425)
    expect(epoch.take().bytes).toBe(425)
    expect([epoch.bytes, epoch.take().bytes]).toEqual([0, 0])
  })
})
