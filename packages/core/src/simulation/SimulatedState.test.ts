import { describe, expect, it } from 'vitest'
import { MemoryStateBackend } from '../state/MemoryStateBackend.js'
import { SimulatedState } from './SimulatedState.js'
import { SimulationScheduler } from './SimulationScheduler.js'

const turn = () => new Promise<void>((resolve) => setImmediate(resolve))
const changes = [{ store: 's', cleared: false, entries: [[Uint8Array.of(1), Uint8Array.of(2)]] as const }]

describe('SimulatedState', () => {
  it('[E2] has all of an epoch once its commit is picked, and says so after another pick', async () => {
    const inner = new MemoryStateBackend()
    const scheduler = new SimulationScheduler({ seed: 1, turn })
    const state = new SimulatedState(inner, scheduler)
    let told = false
    void state.commit(3, changes).then(() => {
      told = true
    })
    await turn()
    expect([state.committedEpoch, inner.open('s').size]).toEqual([undefined, 0])
    await scheduler.run(() => scheduler.steps === 1)
    expect([state.committedEpoch, inner.open('s').size, told]).toEqual([3, 1, false])
    await scheduler.run(() => scheduler.steps === 2)
    await turn()
    expect(told).toBe(true)
    expect(state.open('s')).toBe(inner.open('s'))
    expect(state.names('')).toEqual(['s'])
  })

  it('[E6] has nothing of an epoch whose process died before', async () => {
    const inner = new MemoryStateBackend()
    const scheduler = new SimulationScheduler({ seed: 1, turn })
    void new SimulatedState(inner, scheduler).commit(3, changes)
    await turn()
    scheduler.abandon()
    await scheduler.run(() => false)
    expect([inner.committedEpoch, inner.open('s').size]).toEqual([undefined, 0])
  })
})
