import { expect, it } from 'vitest'
import { equalKeys } from './equalKeys.js'

class Named {
  constructor(readonly name: string) {}
}

it.each([
  ['a', 'a'],
  [1, 1],
  [Number.NaN, Number.NaN],
  [10n, 10n],
  [null, null],
  [new Uint8Array([1, 2]), new Uint8Array([1, 2])],
  [
    { a: 1, b: [2, { c: 3 }] },
    { b: [2, { c: 3 }], a: 1 },
  ],
  [new Date(5), new Date(5)],
  [new Named('x'), new Named('x')],
])('takes %o for the same key as %o', (a, b) => expect(equalKeys(a, b)).toBe(true))

it.each([
  ['a', 'b'],
  [1, '1'],
  [0, -0],
  [null, {}],
  [{}, null],
  [undefined, null],
  [new Uint8Array([1, 2]), new Uint8Array([1, 3])],
  [new Uint8Array([1]), [1]],
  [{ a: 1 }, { a: 1, b: 2 }],
  [{ a: 1, b: 2 }, { a: 1 }],
  [{ a: undefined }, { b: undefined }],
  [[1, 2], [1]],
  [new Date(5), new Date(6)],
  [new Named('x'), { name: 'x' }],
])('tells %o from %o', (a, b) => expect(equalKeys(a, b)).toBe(false))
