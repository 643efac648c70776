import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compareBytes, toHex } from '../model/bytes.js'
import {
  endOfEscaped,
  escapedLength,
  readEscaped,
  readText,
  textLength,
  writeEscaped,
  writeText,
} from './orderedBytes.js'
import { compareTimers, type TimerPosition } from './PendingTimer.js'
import {
  dueFrom,
  dueKey,
  duePrefix,
  headerKey,
  namedKey,
  prefixRange,
  readDueKey,
  readDueValue,
  readStrandedKey,
  sectionRange,
  strandedKey,
  strandedPrefix,
  timerLayoutVersion,
  writeDueValue,
} from './timerLayout.js'

const prefix = duePrefix('event-time', 5)
const sign = (number: number) => Math.sign(number)
const at = fc.oneof(fc.constantFrom(0, 1, 255, 256, 2 ** 32 - 1, 2 ** 32, Number.MAX_SAFE_INTEGER), fc.maxSafeNat())
const keyBytes = fc.oneof(
  fc.array(fc.constantFrom(0, 1, 254, 255), { maxLength: 4 }).map((bytes) => Uint8Array.from(bytes)),
  fc.uint8Array({ maxLength: 12 }),
)
const letters = fc.constantFrom(
  '\u0000',
  '\u0001',
  'a',
  '\u007f',
  '\u0080',
  '\u07ff',
  '\u0800',
  '\ud800',
  '\udfff',
  '\ue000',
  '\uffff',
  '😀',
)
const name = fc.option(
  fc.array(letters, { maxLength: 4 }).map((parts) => parts.join('')),
  { nil: undefined },
)
const timer = fc.record<TimerPosition>({ at, keyBytes, name })

describe('the due index', () => {
  it('[T5] lies in firing order: time, key bytes as unsigned, name as JavaScript orders it', () => {
    const pair = fc.tuple(timer, timer, fc.constantFrom('none', 'at', 'key'))
    fc.assert(
      fc.property(pair, ([a, other, shared]) => {
        const b = {
          ...other,
          ...(shared !== 'none' && { at: a.at }),
          ...(shared === 'key' && { keyBytes: a.keyBytes }),
        }
        const expected = compareTimers(a, b)
        expect(sign(compareBytes(dueKey(prefix, a), dueKey(prefix, b)))).toBe(sign(expected))
      }),
      { numRuns: 5_000 },
    )
  })

  it('[T2] no key is the beginning of another one of the same time, unless only the name goes on', () => {
    fc.assert(
      fc.property(timer, timer, (a, b) => {
        const [one, other] = [dueKey(prefix, a), dueKey(prefix, { ...b, at: a.at })]
        const begins = toHex(other).startsWith(toHex(one))
        if (begins) expect([toHex(b.keyBytes), a.name === undefined]).toEqual([toHex(a.keyBytes), b.name === undefined])
      }),
    )
  })

  it('[T8] gives back what was written, with domain and lane', () => {
    fc.assert(
      fc.property(timer, fc.integer({ min: 0, max: 2 ** 31 - 1 }), (position, lane) => {
        const stored = dueKey(duePrefix('processing-time', lane), position)
        expect(readDueKey(stored)).toEqual({ domain: 'processing-time', lane, ...position })
      }),
    )
  })

  it('[T8] has this very form, for ever', () => {
    const position = { at: 0x0102, keyBytes: Uint8Array.of(0x61, 0, 0xff), name: 'n' }
    expect(toHex(dueKey(prefix, position))).toBe(
      '010100' + '00000005' + '0000000000000102' + '6100ffff' + '0001' + '6e',
    )
    expect(toHex(dueKey(duePrefix('processing-time', 1), { ...position, name: undefined }))).toBe(
      '010101' + '00000001' + '0000000000000102' + '6100ffff' + '0000',
    )
    expect(toHex(namedKey('event-time', Uint8Array.of(0x61), 'n'))).toBe('010200' + '61' + '0001' + '6e')
    expect(toHex(writeDueValue({ run: 2, sequence: -1 }))).toBe('00000002' + 'ffffffffffffffff')
    expect(toHex(headerKey)).toBe('0100')
    expect(toHex(strandedPrefix({ id: 's', version: 3 }))).toBe('0104' + '73' + '0000' + '00000003')
  })

  it('begins a time exactly at its first timer', () => {
    const first = dueKey(prefix, { at: 7, keyBytes: new Uint8Array(), name: undefined })
    const lastBefore = dueKey(prefix, { at: 6, keyBytes: Uint8Array.of(255, 255), name: '\uffff' })
    expect(compareBytes(dueFrom(prefix, 7), first)).toBeLessThan(0)
    expect(compareBytes(lastBefore, dueFrom(prefix, 7))).toBeLessThan(0)
  })

  it('keeps run and sequence', () => {
    for (const value of [
      { run: 1, sequence: 0 },
      { run: 2 ** 31 - 1, sequence: Number.MAX_SAFE_INTEGER },
      { run: 7, sequence: -1 },
    ]) {
      expect(readDueValue(writeDueValue(value))).toEqual(value)
    }
  })
})

describe('the other sections', () => {
  it('[T2] finds a named timer by domain, key and name, and tells all of them apart', () => {
    const a = Uint8Array.of(1)
    const keys = [
      namedKey('event-time', a, 'x'),
      namedKey('processing-time', a, 'x'),
      namedKey('event-time', a, ''),
      namedKey('event-time', a, 'xx'),
      namedKey('event-time', Uint8Array.of(1, 0), 'x'),
      namedKey('event-time', Uint8Array.of(1, 0, 1, 0x78), ''),
    ]
    expect(new Set(keys.map((bytes) => toHex(bytes))).size).toBe(keys.length)
  })

  it('[T9] keeps stranded timers by the identity that wrote them', () => {
    const identities = [
      { id: 'a', version: 1 },
      { id: 'a', version: 2 },
      { id: 'ab', version: 1 },
      { id: 'a\u0000', version: 1 },
      { id: 'long', version: 255 },
    ]
    fc.assert(
      fc.property(timer, fc.constantFrom(...identities), (position, serde) => {
        const own = strandedPrefix(serde)
        const stored = strandedKey(own, 'processing-time', position)
        expect(readStrandedKey(own, stored)).toEqual({ domain: 'processing-time', ...position })
        const holding = identities.filter((identity) => within(stored, prefixRange(strandedPrefix(identity))))
        expect(holding).toEqual([serde])
      }),
    )
  })

  it('begin with the version, and do not overlap', () => {
    const stored = [
      headerKey,
      dueKey(duePrefix('processing-time', 2 ** 31 - 1), {
        at: Number.MAX_SAFE_INTEGER,
        keyBytes: Uint8Array.of(255),
        name: 'z',
      }),
      namedKey('processing-time', Uint8Array.of(255), '\uffff'),
    ]
    const sections = ['header', 'due', 'named', 'count', 'stranded'] as const
    stored.forEach((bytes, index) => {
      expect(bytes[0]).toBe(timerLayoutVersion)
      expect(sections.filter((name) => within(bytes, sectionRange(name)))).toEqual([sections[index]])
    })
  })

  it('bounds what begins with a prefix, also when it ends in 255', () => {
    const { from, to } = prefixRange(Uint8Array.of(1, 255, 255))
    expect([toHex(from), toHex(to)]).toEqual(['01ffff', '02'])
    expect(toHex(prefixRange(Uint8Array.of(1, 4, 254)).to)).toBe('0104ff')
  })
})

describe('ordered bytes', () => {
  it('gives byte strings back, and knows where they end', () => {
    fc.assert(
      fc.property(keyBytes, fc.constantFrom(0, 1, 254), (bytes, follows) => {
        const target = new Uint8Array(2 + escapedLength(bytes) + 2).fill(7)
        const end = writeEscaped(target, 2, bytes)
        target.set([0, follows], end)
        expect(end).toBe(target.length - 2)
        expect(endOfEscaped(target, 2)).toBe(end)
        expect(readEscaped(target, 2, end)).toEqual(bytes)
      }),
    )
  })

  it('gives any text back, half a surrogate pair too', () => {
    fc.assert(
      fc.property(fc.array(letters, { maxLength: 6 }), (parts) => {
        const text = parts.join('')
        const target = new Uint8Array(1 + textLength(text))
        expect(writeText(target, 1, text)).toBe(target.length)
        expect(readText(target, 1)).toBe(text)
      }),
    )
  })

  it('refuses a byte string without an end', () => {
    expect(() => endOfEscaped(Uint8Array.of(1, 2), 0)).toThrow('has no end')
    expect(() => endOfEscaped(Uint8Array.of(1, 0, 255), 0)).toThrow('has no end')
    expect(() => endOfEscaped(Uint8Array.of(1, 2, 0, 0), 0, 2)).toThrow('has no end')
    expect(endOfEscaped(Uint8Array.of(1, 2, 0, 0), 0)).toBe(2)
  })
})

function within(key: Uint8Array, range: { readonly from: Uint8Array; readonly to: Uint8Array }): boolean {
  return compareBytes(key, range.from) >= 0 && compareBytes(key, range.to) < 0
}
