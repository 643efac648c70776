import { describe, expect, it } from 'vitest'
import { javaHashOrder } from './javaHashOrder.js'

describe('javaHashOrder', () => {
  it('walks the buckets of a table of 16', () => {
    expect(javaHashOrder(['m', 'x', 'a'])).toEqual(['a', 'x', 'm'])
  })

  it('keeps the order of insertion within a bucket', () => {
    expect(javaHashOrder(['q', 'a'])).toEqual(['q', 'a'])
    expect(javaHashOrder(['a', 'q'])).toEqual(['a', 'q'])
  })

  it('doubles the table above 12 names, and not at 12', () => {
    const twelve = [...'abcdefghijkq']
    expect(javaHashOrder(twelve)[1]).toBe('q')
    expect(javaHashOrder([...twelve, 'l'])[1]).toBe('b')
  })

  it('spreads the high half of the hash over the low one', () => {
    expect(javaHashOrder(['KSTREAM-SOURCE-0000000000', 'KSTREAM-SINK-0000000001'])).toHaveLength(2)
    expect(javaHashOrder(['src-r0', 'src-q1', 'Node53-0', 'z_94-1', 'x-18-2'])).not.toEqual(
      ['src-r0', 'src-q1', 'Node53-0', 'z_94-1', 'x-18-2'].sort(),
    )
  })
})
