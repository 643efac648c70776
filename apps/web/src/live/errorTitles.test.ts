import { expect, it } from 'vitest'
import { errorTitle, handlerOf } from './errorTitles.js'

it('says an error in words, never by its code', () => {
  expect(errorTitle('PROCESSING_FAILED')).toBe('Your code threw an error')
  expect(errorTitle('INTERNAL')).toBe('Lanescope made a mistake')
})

it('[G1] knows the handler that lets such records go, and where there is none', () => {
  expect(handlerOf('DESERIALIZATION_FAILED')).toBe('default.deserialization.exception.handler')
  expect(handlerOf('PROCESSING_FAILED')).toBe('processing.exception.handler')
  expect(handlerOf('PRODUCTION_FAILED')).toBe('production.exception.handler')
  expect(handlerOf('TIMER_LANE_AFFINITY')).toBeNull()
})
