import { describe, expect, it, vi } from 'vitest'
import { isPromise, refusedPromise } from './refusedPromise.js'

describe('a refused promise', () => {
  it('is left to nobody: its rejection is heard', () => {
    const promise = Promise.resolve()
    const then = vi.spyOn(promise, 'then')
    const error = refusedPromise(promise, 'no promise here', { node: 'n' })
    expect(then).toHaveBeenCalledWith(undefined, expect.any(Function))
    expect(error).toMatchObject({
      code: 'SYNC_CALLBACK_RETURNED_PROMISE',
      message: expect.stringContaining('no promise here'),
      context: { node: 'n' },
    })
  })

  it.each([1, null, undefined, '', {}])('%j is none', (value) => expect(isPromise(value)).toBe(false))
})
