import { expect, it } from 'vitest'
import { Sampler } from './Sampler.js'

it('keeps the first few of each place and of all, and counts the rest without making it', () => {
  const sampler = new Sampler<string>(3, 2)
  let made = 0
  const offer = (place: string, item: string) =>
    sampler.offer(place, () => {
      made++
      return item
    })
  offer('a', 'a1')
  offer('a', 'a2')
  offer('a', 'a3')
  offer('b', 'b1')
  offer('b', 'b2')
  expect(sampler.take()).toEqual({ kept: ['a1', 'a2', 'b1'], leftOut: 2 })
  expect(made).toBe(3)
})

it('starts anew with each frame', () => {
  const sampler = new Sampler<number>(1, 1)
  sampler.offer('a', () => 1)
  sampler.offer('a', () => 2)
  sampler.take()
  sampler.offer('a', () => 3)
  expect(sampler.take()).toEqual({ kept: [3], leftOut: 0 })
})
