import { ManualClock } from '@lanescope/core'
import { expect, it } from 'vitest'
import { BrokerWatch } from './BrokerWatch.js'

function scene() {
  const clock = new ManualClock(1_000)
  return { clock, watch: new BrokerWatch(clock, 'Kafka at k') }
}

it('tells of a question that has not been answered for 5 s, and since when', () => {
  const { clock, watch } = scene()
  expect(watch.outage).toBeUndefined()
  clock.advance(10_000)
  watch.asks('1')
  clock.advance(4_999)
  expect(watch.outage).toBeUndefined()
  clock.advance(1)
  expect(watch.outage).toEqual({ since: 11_000, reason: 'Kafka at k: broker 1 has not answered' })
  watch.answers('1')
  expect(watch.outage).toBeUndefined()
})

it('counts failures from the first one’s question on, and forgets them at an answer', () => {
  const { clock, watch } = scene()
  watch.asks('1')
  clock.advance(100)
  watch.fails('1', 'refused')
  clock.advance(4_800)
  watch.asks('1')
  watch.fails('1', 'reset')
  expect(watch.outage).toBeUndefined()
  clock.advance(100)
  expect(watch.outage).toEqual({ since: 1_000, reason: 'Kafka at k: reset' })
  // Asked again, and that is new: the trouble is not.
  watch.asks('1')
  expect(watch.outage?.since).toBe(1_000)
  watch.answers('1')
  expect(watch.outage).toBeUndefined()
  clock.advance(60_000)
  watch.fails('1', 'refused')
  clock.advance(4_999)
  expect(watch.outage).toBeUndefined()
})

it('tells the oldest of several troubles, and does not let an answer of one broker hide another', () => {
  const { clock, watch } = scene()
  watch.asks('1')
  watch.fails('1', 'first')
  clock.advance(10)
  watch.fails('2', 'second')
  clock.advance(6_000)
  watch.answers('3')
  expect(watch.outage?.reason).toBe('Kafka at k: first')
  watch.answers('1')
  expect(watch.outage).toEqual({ since: 1_010, reason: 'Kafka at k: second' })
})

it('forgets a broker that is not needed any more, and no other', () => {
  const { clock, watch } = scene()
  watch.fails('1', 'first')
  watch.fails('2', 'second')
  clock.advance(6_000)
  watch.onlyNeeds((broker) => broker === '2')
  expect(watch.outage?.reason).toBe('Kafka at k: second')
  watch.onlyNeeds(() => false)
  expect(watch.outage).toBeUndefined()
})
