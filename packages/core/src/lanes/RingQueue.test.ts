import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { RingQueue } from './RingQueue.js'

describe('RingQueue', () => {
  it('gives back in order what was pushed, across growth and wrap-around, like an array', () => {
    fc.assert(
      fc.property(fc.array(fc.option(fc.integer(), { nil: undefined }), { maxLength: 200 }), (steps) => {
        const queue = new RingQueue<number>(2)
        const model: number[] = []
        for (const step of steps) {
          if (step === undefined) expect(queue.shift()).toBe(model.shift())
          else {
            queue.push(step)
            model.push(step)
          }
          expect(queue.length).toBe(model.length)
          expect(queue.peek()).toBe(model[0])
        }
      }),
    )
  })
})
