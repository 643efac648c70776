import { describe, expect, it } from 'vitest'
import { choosePlaces } from './StreamPartitioner.js'

describe('choosePlaces', () => {
  it('[L9] refuses a promise, and hears its rejection', () => {
    const late = (async () => Promise.reject(new Error('late'))) as never
    expect(() => choosePlaces(late, 'k', 'v', 2)).toThrow(
      expect.objectContaining({
        code: 'SYNC_CALLBACK_RETURNED_PROMISE',
        message: expect.stringContaining('a promise'),
      }),
    )
  })
})
