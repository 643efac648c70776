import { describe, expect, it } from 'vitest'
import { FetchedRecord } from './records/FetchedRecord.js'
import { withoutAborted } from './withoutAborted.js'

const data = (offset: number, producerId: string, key: Buffer | null = null, inTransaction = true) =>
  new FetchedRecord(offset, 0, key, null, [], { producerId, inTransaction, isControl: false })
const marker = (offset: number, producerId: string, type: 'abort' | 'commit') => {
  const key = Buffer.from([0, 0, 0, type === 'abort' ? 0 : 1])
  return new FetchedRecord(offset, 0, key, null, [], { producerId, inTransaction: true, isControl: true })
}
const seen = (records: FetchedRecord[], aborted: { producerId: string; firstOffset: string }[]) =>
  withoutAborted(records, aborted)
    .filter(({ batch }) => !batch.isControl)
    .map(({ offset }) => offset)

describe('The filter of aborted transactions', () => {
  it('lets everything through when nothing was aborted', () => {
    expect(seen([data(0, 'a'), data(1, 'b')], [])).toEqual([0, 1])
    expect(withoutAborted([data(0, 'a')], [])).toHaveLength(1)
  })

  it('hides what was aborted, and nothing behind the marker', () => {
    const messages = [data(0, 'a'), data(1, 'b'), marker(2, 'a', 'abort'), data(3, 'a')]
    expect(seen(messages, [{ producerId: 'a', firstOffset: '0' }])).toEqual([1, 3])
  })

  it('begins at the very first offset, not before', () => {
    const messages = [data(4, 'a'), data(5, 'a'), marker(6, 'a', 'abort')]
    expect(seen(messages, [{ producerId: 'a', firstOffset: '5' }])).toEqual([4])
  })

  it('takes the list in any order: the broker sorts it by end', () => {
    const messages = [data(0, 'a'), data(1, 'b'), marker(2, 'b', 'abort'), data(3, 'a'), marker(4, 'a', 'abort')]
    const list = [
      { producerId: 'b', firstOffset: '1' },
      { producerId: 'a', firstOffset: '0' },
    ]
    expect(seen(messages, list)).toEqual([])
  })

  it('enters several transactions at one record: a fetch may begin inside them', () => {
    const messages = [data(10, 'a'), data(11, 'b'), data(12, 'c')]
    const list = ['a', 'b', 'c'].map((producerId, i) => ({ producerId, firstOffset: String(i) }))
    expect(seen(messages, list)).toEqual([])
  })

  it('takes no record for a marker, whatever its key', () => {
    const messages = [data(0, 'a', Buffer.from([0, 0, 0, 0])), data(1, 'a'), marker(2, 'a', 'abort')]
    expect(seen(messages, [{ producerId: 'a', firstOffset: '0' }])).toEqual([])
  })

  it('a commit marker ends nothing, and what is outside of transactions stays', () => {
    const messages = [data(0, 'a'), marker(1, 'a', 'commit'), data(2, 'a'), data(3, 'a', null, false)]
    expect(seen(messages, [{ producerId: 'a', firstOffset: '0' }])).toEqual([3])
  })
})
