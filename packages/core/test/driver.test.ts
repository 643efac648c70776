import { describe, expect, it } from 'vitest'
import { json, string, TimerLaneAffinityException } from '../src/index.js'
import { TopologyTestDriver } from '../src/testing/index.js'
import { GAP_MS, type Session, sessionize } from './sessionize.js'

const CONFIG = { 'application.id': 'sessions', 'default.key.serde': 'string', 'lanes.count': 8 }

function drive(source: 'deserializer' | 'declared', config: { [key: string]: unknown } = {}) {
  const driver = new TopologyTestDriver(sessionize(source), { ...CONFIG, ...config })
  const events = driver.createInputTopic('events', json<string>(), json<number>())
  const sessions = driver.createOutputTopic('sessions', string, json<Session>())
  return { driver, events, sessions }
}

describe('the test driver', () => {
  it('[D1] [T5] closes a session when stream time has reached its timer, at equality, never before', async () => {
    const { events, sessions } = drive('declared')
    await events.pipeInput('k0', 1, 100)
    await events.pipeInput('k1', 1, 100 + GAP_MS - 1)
    expect(sessions.isEmpty).toBe(true)
    await events.pipeInput('k1', 1, 100 + GAP_MS)
    const [closed] = sessions.readRecordsToList()
    expect(closed).toMatchObject({ key: 'k0', timestamp: 100 + GAP_MS, value: { start: 100, end: 100, events: 1 } })
  })

  it('[T2] a later record moves the named timer instead of adding one', async () => {
    const { driver, events, sessions } = drive('declared')
    await events.pipeInput('k0', 1, 100)
    await events.pipeInput('k0', 1, 900)
    expect(driver.pendingTimers('sessionize')).toBe(1)
    await events.pipeInput('k1', 1, 100 + GAP_MS)
    expect(sessions.isEmpty).toBe(true)
    await events.pipeInput('k1', 1, 900 + GAP_MS)
    expect(sessions.readRecordsToList().map((session) => session.value?.events)).toEqual([2])
  })

  it('[A2] [A6] stops on a proven split, over lanes.count', async () => {
    const { driver, events } = drive('deserializer')
    const failure = await events.pipeInput('k0', 1, 100).then(
      () => undefined,
      (error: unknown) => error,
    )
    expect(failure).toBeInstanceOf(TimerLaneAffinityException)
    expect((failure as TimerLaneAffinityException).split).toMatchObject({
      key: 'k0',
      recordLane: 0,
      timerLane: 6,
      laneCount: 8,
    })
    expect(driver.pendingTimers('sessionize')).toBe(0)
  })

  it('[A5] says nothing of two encodings that share a lane', async () => {
    const { driver, events } = drive('deserializer', { 'timer.lane-affinity.sampled-check': 'error' })
    for (const key of ['k12', 'k13', 'k14']) await events.pipeInput(key, 1, 100)
    expect(driver.pendingTimers('sessionize')).toBe(3)
  })

  it('[A8] checks nothing where there is one lane', async () => {
    const { driver, events } = drive('deserializer', { 'lanes.count': 1 })
    await events.pipeInput('k0', 1, 100)
    expect(driver.pendingTimers('sessionize')).toBe(1)
  })
})
