import { describe, expect, it } from 'vitest'
import { compareBytes, fromHex, toHex } from '../src/model/bytes.js'
import { justAfter, type OrderedByteStore } from '../src/state/OrderedByteStore.js'
import { SeededRandom } from '../src/time/Random.js'

const hex = (text: string) => fromHex(text)
const keysOf = (entries: Iterable<readonly [Uint8Array, Uint8Array]>) => Array.from(entries, ([key]) => toHex(key))

/** What every ordered byte store must do; each adapter's test calls it with a factory of empty stores. */
export function orderedByteStoreContract(name: string, create: () => OrderedByteStore): void {
  const filled = (...keys: string[]) => {
    const store = create()
    for (const key of keys) store.put(hex(key), hex('00'))
    return store
  }

  describe(`${name}: points`, () => {
    it('gives undefined for a key that is not there', () => {
      expect(create().get(hex('01'))).toBeUndefined()
      expect(create().delete(hex('01'))).toBeUndefined()
    })

    it('gives what was put, and what was there before', () => {
      const store = create()
      expect(store.put(hex('01'), hex('aa'))).toBeUndefined()
      expect(store.put(hex('01'), hex('bbcc'))).toEqual(hex('aa'))
      expect(store.get(hex('01'))).toEqual(hex('bbcc'))
      expect(store.delete(hex('01'))).toEqual(hex('bbcc'))
      expect(store.get(hex('01'))).toBeUndefined()
    })

    it('finds a key by its content, also in the middle of a buffer, and tells a prefix from the whole', () => {
      const store = filled('0102')
      expect(store.get(hex('ff0102ff').subarray(1, 3))).toBeDefined()
      expect(store.get(hex('01'))).toBeUndefined()
      expect(store.get(hex('010200'))).toBeUndefined()
    })

    it('keeps keys of its own: the array that one was given in may hold the next', () => {
      const store = create()
      const key = hex('0101')
      store.put(key, hex('aa'))
      key[1] = 2
      store.set(key, hex('bb'))
      key[1] = 3
      store.set(key, hex('cc'))
      key[1] = 2
      store.remove(key)
      key[1] = 4
      expect(store.get(key)).toBeUndefined()
      expect(keysOf(store.range())).toEqual(['0101', '0103'])
      key[1] = 1
      expect(store.delete(key)).toEqual(hex('aa'))
      key[1] = 9
      expect(keysOf(store.range())).toEqual(['0103'])
    })

    it('takes an empty key and an empty value', () => {
      const store = create()
      store.put(hex(''), hex(''))
      expect(store.get(hex(''))).toEqual(hex(''))
      expect(store.size).toBe(1)
    })
  })

  describe(`${name}: size`, () => {
    it('counts entries, and the bytes of keys and values', () => {
      const store = create()
      expect([store.size, store.bytes]).toEqual([0, 0])
      store.put(hex('0102'), hex('aabbcc'))
      expect([store.size, store.bytes]).toEqual([1, 5])
      store.put(hex('0102'), hex('aa'))
      expect([store.size, store.bytes]).toEqual([1, 3])
      store.put(hex('03'), hex('bb'))
      expect([store.size, store.bytes]).toEqual([2, 5])
      store.delete(hex('0102'))
      expect([store.size, store.bytes]).toEqual([1, 2])
      store.delete(hex('0102'))
      expect([store.size, store.bytes]).toEqual([1, 2])
    })

    it('is empty and usable after clear', () => {
      const store = filled('01', '02')
      store.clear()
      expect([store.size, store.bytes, keysOf(store.range())]).toEqual([0, 0, []])
      store.put(hex('03'), hex('04'))
      expect([store.size, store.bytes, keysOf(store.range())]).toEqual([1, 2, ['03']])
    })
  })

  describe(`${name}: ranges`, () => {
    const all = ['', '00', '0000', '01', '0100', '7f', '80', 'ff', 'ff00', 'ffff']

    it('goes by unsigned bytes, a prefix before what it is a prefix of', () => {
      expect(keysOf(filled(...[...all].reverse()).range())).toEqual(all)
      expect(keysOf(filled(...all).range({ reverse: true }))).toEqual([...all].reverse())
    })

    it.each([
      ['01', '80', ['01', '0100', '7f']],
      ['0001', '7f00', ['01', '0100', '7f']],
      ['01', '01', []],
      ['80', '01', []],
      ['', '00', ['']],
      ['', '', []],
      ['ffff', undefined, ['ffff']],
      [undefined, '00', ['']],
      [undefined, undefined, all],
    ])('includes from %s and excludes to %s, in both directions', (from, to, keys) => {
      const range = { from: from === undefined ? undefined : hex(from), to: to === undefined ? undefined : hex(to) }
      expect(keysOf(filled(...all).range(range))).toEqual(keys)
      expect(keysOf(filled(...all).range({ ...range, reverse: true }))).toEqual([...keys].reverse())
    })

    it('makes the upper end inclusive with justAfter, and lets nothing else in', () => {
      expect(keysOf(filled(...all).range({ from: hex('01'), to: justAfter(hex('01')) }))).toEqual(['01'])
      expect(keysOf(filled(...all).range({ from: hex('ff'), to: justAfter(hex('ff00')) }))).toEqual(['ff', 'ff00'])
    })

    it('gives values with their keys', () => {
      const store = create()
      store.put(hex('01'), hex('aa'))
      store.put(hex('02'), hex('bb'))
      expect([...store.range()]).toEqual([
        [hex('01'), hex('aa')],
        [hex('02'), hex('bb')],
      ])
    })

    it('can be read twice', () => {
      const range = filled('01', '02').range()
      expect(keysOf(range)).toEqual(['01', '02'])
    })
  })

  describe(`${name}: writes while a range is read`, () => {
    const step = (iterator: Iterator<readonly [Uint8Array, Uint8Array]>) => {
      const next = iterator.next()
      return next.done ? undefined : toHex(next.value[0])
    }

    it('sees what is put and deleted ahead of it, not what is put behind it', () => {
      const store = filled('02', '04', '06')
      const iterator = store.range()[Symbol.iterator]()
      expect(step(iterator)).toBe('02')
      store.put(hex('01'), hex('00'))
      store.put(hex('03'), hex('00'))
      store.delete(hex('04'))
      expect([step(iterator), step(iterator), step(iterator)]).toEqual(['03', '06', undefined])
    })

    it('does so from the end as well', () => {
      const store = filled('02', '04', '06')
      const iterator = store.range({ reverse: true })[Symbol.iterator]()
      expect(step(iterator)).toBe('06')
      store.put(hex('07'), hex('00'))
      store.put(hex('05'), hex('00'))
      store.delete(hex('04'))
      expect([step(iterator), step(iterator), step(iterator)]).toEqual(['05', '02', undefined])
    })

    it('goes on when the entry it gave last is deleted, and ends when all are', () => {
      const store = filled('02', '04', '06')
      const iterator = store.range()[Symbol.iterator]()
      expect(step(iterator)).toBe('02')
      store.delete(hex('02'))
      expect(step(iterator)).toBe('04')
      store.clear()
      expect(step(iterator)).toBeUndefined()
    })

    it('gives every key once, in order, when each is replaced as it is read', () => {
      const keys = Array.from({ length: 500 }, (_, i) => toHex(Uint8Array.of(i >> 8, i)))
      const store = filled(...keys)
      const seen: string[] = []
      for (const [key] of store.range()) {
        seen.push(toHex(key))
        store.delete(key)
        store.put(key, hex('01'))
      }
      expect(seen).toEqual(keys)
    })
  })

  describe(`${name}: deleteRange`, () => {
    it.each([
      ['02', '04', ['01', '04'], 2],
      [undefined, '03', ['03', '04'], 2],
      ['03', undefined, ['01', '02'], 2],
      [undefined, undefined, [], 4],
      ['04', '02', ['01', '02', '03', '04'], 0],
    ])('deletes from %s, inclusive, to %s, exclusive', (from, to, left, count) => {
      const store = filled('01', '02', '03', '04')
      const deleted = store.deleteRange(
        from === undefined ? undefined : hex(from),
        to === undefined ? undefined : hex(to),
      )
      expect(deleted).toBe(count)
      expect(keysOf(store.range())).toEqual(left)
      expect([store.size, store.bytes]).toEqual([left.length, 2 * left.length])
    })
  })

  it.each([1, 2, 3])(`${name}: behaves as a sorted list under random operations, seed %d`, (seed) => {
    const random = new SeededRandom(seed)
    const below = (n: number) => Math.floor(random.next() * n)
    const someKey = () => Uint8Array.from({ length: below(4) }, () => [0, 1, 127, 128, 255][below(5)] as number)
    const store = create()
    let model: [Uint8Array, Uint8Array][] = []
    for (let i = 0; i < 3000; i++) {
      const key = someKey()
      const rest = model.filter(([other]) => compareBytes(other, key) !== 0)
      const operation = below(100)
      if (operation < 60) {
        const value = new Uint8Array(below(5)).fill(i)
        store.put(key, value)
        model = [...rest, [key, value]]
      } else if (operation < 98) {
        store.delete(key)
        model = rest
      } else {
        const to = someKey()
        store.deleteRange(key, to)
        model = model.filter(([other]) => compareBytes(other, key) < 0 || compareBytes(other, to) >= 0)
      }
    }
    model.sort(([a], [b]) => compareBytes(a, b))
    expect([...store.range()]).toEqual(model)
    expect([...store.range({ reverse: true })]).toEqual([...model].reverse())
    expect(store.size).toBe(model.length)
    expect(store.bytes).toBe(model.reduce((sum, [key, value]) => sum + key.length + value.length, 0))
  })
}
