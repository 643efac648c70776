import { describe, expect, it } from 'vitest'
import type { OutputRecord } from '../RecordLog.js'
import { EpochBuffer } from './EpochBuffer.js'

const output = { topic: 'out', partition: 0 } as OutputRecord

describe('EpochBuffer', () => {
  it.each([
    ['a record', (epoch: EpochBuffer) => epoch.records++],
    ['a timer', (epoch: EpochBuffer) => epoch.timersFired++],
    ['an output', (epoch: EpochBuffer) => epoch.output(output)],
    ['another change', (epoch: EpochBuffer) => epoch.touch()],
  ])('[E3] %s alone is reason to commit; what is taken leaves nothing behind', (_name, change) => {
    const epoch = new EpochBuffer()
    expect([epoch.isEmpty, epoch.take().isEmpty]).toEqual([true, true])
    change(epoch)
    expect(epoch.isEmpty).toBe(false)
    expect(epoch.take().isEmpty).toBe(false)
    expect(epoch.isEmpty).toBe(true)
    expect(epoch.take()).toMatchObject({ outputs: [], records: 0, timersFired: 0, isEmpty: true })
  })

  it('gives what it counted, outputs in order', () => {
    const epoch = new EpochBuffer()
    const other = { ...output, partition: 1 }
    epoch.output(output)
    epoch.output(other)
    epoch.records += 2
    epoch.timersFired++
    expect(epoch.take()).toMatchObject({ outputs: [output, other], records: 2, timersFired: 1, isEmpty: false })
  })
})
