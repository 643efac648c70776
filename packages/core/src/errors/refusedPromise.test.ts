import { describe, expect, it } from 'vitest'
import { isPromise, refusedPromise } from './refusedPromise.js'

describe('a refused promise', () => {
  it('is left to nobody: its rejection is heard', () => {
    const heard: unknown[] = []
    const promise = { then: (_done: unknown, failed: unknown) => heard.push(failed) } as never
    const error = refusedPromise(promise, 'no promise here', { node: 'n' })
    expect(heard).toEqual([expect.any(Function)])
    expect(error).toMatchObject({
      code: 'SYNC_CALLBACK_RETURNED_PROMISE',
      message: expect.stringContaining('no promise here'),
      context: { node: 'n' },
    })
  })

  it.each([1, null, undefined, '', {}, { then: 1 }])('%j is none', (value) => expect(isPromise(value)).toBe(false))
})
