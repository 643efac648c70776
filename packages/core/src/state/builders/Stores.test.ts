import { describe, expect, it } from 'vitest'
import { StreamError } from '../../errors/index.js'
import { long } from '../../serde/long.js'
import { string } from '../../serde/string.js'
import { Stores } from './Stores.js'

const kinds = [
  ['window', Stores.window],
  ['inMemoryWindow', Stores.inMemoryWindow],
] as const

function errorOf(work: () => unknown): StreamError {
  try {
    work()
  } catch (error) {
    if (error instanceof StreamError) return error
    throw error
  }
  throw new Error('nothing was thrown')
}

describe('Stores', () => {
  it('[P4] describes a store by name, kind and serdes', () => {
    expect(Stores.keyValue('s', string, long)).toMatchObject({
      name: 's',
      kind: 'key-value',
      persistent: true,
      keySerde: string,
      valueSerde: long,
    })
    expect(Stores.inMemoryKeyValue('s')).toMatchObject({
      persistent: false,
      keySerde: undefined,
      valueSerde: undefined,
    })
    expect(Stores.window('w', { retentionMs: 20, windowSizeMs: 10 }, string, long)).toMatchObject({
      name: 'w',
      kind: 'window',
      persistent: true,
      retentionMs: 20,
      windowSizeMs: 10,
      keySerde: string,
      valueSerde: long,
    })
    expect(Stores.inMemoryWindow('w', { retentionMs: 20, windowSizeMs: 10 })).toMatchObject({ persistent: false })
  })

  it('[P4] does not follow options that change afterwards', () => {
    const options = { retentionMs: 20, windowSizeMs: 10 }
    const builder = Stores.window('w', options)
    options.retentionMs = 5
    expect(builder.retentionMs).toBe(20)
  })

  it.each(kinds)('[A.7] %s refuses a retention below the window size', (_kind, create) => {
    const error = errorOf(() => create('w', { retentionMs: 9, windowSizeMs: 10 }))
    expect(error.message).toContain(
      'The retention period of the window store w must be no smaller than its window size. ' +
        'Got size=[10 ms], retention=[9 ms]',
    )
    expect(error).toMatchObject({ code: 'STORE_INVALID', kind: 'user', retriable: false, context: { store: 'w' } })
    expect(create('w', { retentionMs: 10, windowSizeMs: 10 }).retentionMs).toBe(10)
  })

  it.each(kinds)('[A.7] %s refuses negative and fractional times, and takes 0', (_kind, create) => {
    expect(() => create('w', { retentionMs: -1, windowSizeMs: 10 })).toThrow('retentionPeriod cannot be negative')
    expect(() => create('w', { retentionMs: 10, windowSizeMs: -1 })).toThrow('windowSize cannot be negative')
    expect(() => create('w', { retentionMs: 10.5, windowSizeMs: 1 })).toThrow('retentionPeriod of the store w')
    expect(() => create('w', { retentionMs: Number.NaN, windowSizeMs: 1 })).toThrow('integer number of ms')
    expect(create('w', { retentionMs: 0, windowSizeMs: 0 }).retentionMs).toBe(0)
  })

  it.each(['', '.', '..', 'a b', 'a/b', 'ä', 'x'.repeat(250)])(
    'refuses the name "%s", which no topic may have',
    (name) => {
      const attempts = [
        () => Stores.keyValue(name),
        () => Stores.inMemoryKeyValue(name),
        () => Stores.window(name, { retentionMs: 1, windowSizeMs: 1 }),
        () => Stores.inMemoryWindow(name, { retentionMs: 1, windowSizeMs: 1 }),
      ]
      for (const attempt of attempts) expect(errorOf(attempt).code).toBe('STORE_INVALID')
    },
  )

  it.each(['a', 'A.b_c-1', '...', 'x'.repeat(249)])('takes the name "%s"', (name) => {
    expect(Stores.keyValue(name).name).toBe(name)
  })
})
