import { describe, expect, it } from 'vitest'
import { MemoryStateBackend } from '../../state/MemoryStateBackend.js'
import type { ChangelogMark } from '../../state/StateBackend.js'
import { type ChangelogFacts, rowsOf, whyUnusable } from './localState.js'
import type { LoggedStore } from './loggedStores.js'

const store = { owner: 'counts', topic: 'app-counts-changelog' } as LoggedStore
const NOW = 1_700_000_000_000
const RETENTION = 86_400_000
const mark: ChangelogMark = { ends: [5, 9], epoch: 7, at: NOW, topicId: 'cluster/a' }
const facts: ChangelogFacts = {
  bounds: [
    { start: 0, end: 5 },
    { start: 2, end: 12 },
  ],
  from: [0, 2],
  traits: { id: 'cluster/a', deleteRetentionMs: RETENTION },
  lastEpoch: 7,
  now: NOW,
}

async function look(changed: Partial<ChangelogMark> = {}, more: Partial<ChangelogFacts> = {}, rows = ['counts']) {
  const backend = new MemoryStateBackend()
  const changes = rows.map((name) => ({
    store: name,
    cleared: false,
    entries: [[Uint8Array.of(1), Uint8Array.of(1)] as const],
  }))
  await backend.commit(7, changes, new Map([[store.topic, { ...mark, ...changed }]]))
  return whyUnusable(backend, store, { ...facts, ...more })
}

describe('whyUnusable', () => {
  it('[E11] takes state that lacks no more than what the changelog holds behind it', async () => {
    expect(await look()).toBeUndefined()
    expect(await look({ ends: [0, 2], epoch: 1 })).toBeUndefined()
    expect(await look({ ends: [5, 12] })).toBeUndefined()
  })

  it('[E11] leaves state whose offsets are not within the changelog, on either side, in any partition', async () => {
    for (const ends of [
      [6, 9],
      [5, 13],
      [5, 1],
    ]) {
      expect(await look({ ends })).toMatchObject({ why: expect.stringMatching(/does not hold what comes behind/) })
    }
    expect(await look({ ends: [0, 9] }, { from: [1, 2] })).toMatchObject({ hasRows: true })
  })

  it('[E11] leaves state of another number of partitions', async () => {
    expect(await look({ ends: [5] })).toMatchObject({ hasRows: true })
    expect(await look({ ends: [5, 9, 0] })).toMatchObject({ hasRows: true })
  })

  it('[E11] leaves state of a later epoch than the log has, and takes one of the same', async () => {
    expect(await look({ epoch: 8 })).toMatchObject({
      why: 'the local state is of epoch 8, and the log ends with epoch 7',
    })
    expect(await look({ epoch: 7 })).toBeUndefined()
  })

  it('[E11] leaves state that is half of delete.retention.ms old, and takes what is 1 ms younger', async () => {
    expect(await look({ at: NOW - RETENTION / 2 + 1 })).toBeUndefined()
    expect(await look({ at: NOW - RETENTION / 2 })).toMatchObject({
      why: `the local state is 43200000 ms old, and deletions may be gone from the changelog after half of delete.retention.ms = 86400000`,
    })
  })

  it('[E11] does not take state for young because a clock was ahead when it was stamped', async () => {
    expect(await look({ at: NOW + RETENTION / 2 - 1 })).toBeUndefined()
    expect(await look({ at: NOW + RETENTION / 2 })).toMatchObject({ hasRows: true })
  })

  it('[E11] takes state of any age where the log keeps tombstones for ever', async () => {
    expect(await look({ at: 0 }, { traits: { id: 'cluster/a' } })).toBeUndefined()
  })

  it('[E11] leaves state of another cluster or of another topic of the same name, however well its offsets fit', async () => {
    expect(await look({ topicId: 'cluster/b' })).toMatchObject({
      isStrange: true,
      why: expect.stringMatching(/another/),
    })
    expect(await look({}, { traits: {} })).toMatchObject({ isStrange: true })
  })

  it('[E11] leaves state that is not known to be whole, and says whether there is any', async () => {
    const backend = new MemoryStateBackend()
    expect(whyUnusable(backend, store, facts)).toEqual({ why: 'there is no whole local state', hasRows: false })
    await backend.restore([{ store: 'counts/60000', cleared: false, entries: [[Uint8Array.of(1), Uint8Array.of(1)]] }])
    expect(whyUnusable(backend, store, facts)).toMatchObject({ hasRows: true })
  })

  it('[E11] leaves a store of which a part is damaged, and no other', async () => {
    class Damaged extends MemoryStateBackend {
      override get damaged() {
        return ['counts/60000', 'other']
      }
    }
    const backend = new Damaged()
    const marks = new Map([
      [store.topic, mark],
      ['app-counts2-changelog', mark],
    ])
    await backend.commit(7, [], marks)
    expect(whyUnusable(backend, store, facts)).toEqual({
      why: 'a checksum of the local state is wrong',
      hasRows: true,
    })
    const other = { owner: 'counts2', topic: 'app-counts2-changelog' } as LoggedStore
    expect(whyUnusable(backend, other, facts)).toBeUndefined()
  })
})

describe('rowsOf', () => {
  it('finds the parts of a store, and not those of one whose name only begins so', async () => {
    const backend = new MemoryStateBackend()
    const entries = [[Uint8Array.of(1), Uint8Array.of(1)] as const]
    const names = ['counts', 'counts/60000', 'counts:marks', 'counts2', 'counts2/0']
    await backend.commit(
      1,
      names.map((name) => ({ store: name, cleared: false, entries })),
    )
    expect(rowsOf(backend, 'counts')).toEqual(['counts', 'counts/60000', 'counts:marks'])
  })
})
