import { expect, it } from 'vitest'
import { previewWords } from './previewWords.js'
import type { Preview } from './whatIf.js'

const at = Date.UTC(2026, 10, 30, 12)
const nothing: Preview['blast'] = { segments: [], windows: [], timers: [], refuses: [] }
const segment = (entries: number) => ({ store: 's', segment: 1, from: 0, to: 1, entries, bytes: 0 })
const preview = (blast: Partial<Preview['blast']>, wouldBe: Preview['wouldBe'] = 'passed'): Preview => ({
  blast: { ...nothing, ...blast },
  wouldBe,
  boundMs: 60_000,
  referenceClock: at,
})
const refused = (where: string, to: number) => ({ where, reason: 'late_window' as const, from: 0, to })

it('says nothing of a record that takes nothing', () => {
  expect(previewWords(preview({}))).toEqual([])
})

it('says what a record would take, and what would be dropped after it', () => {
  const all = preview({
    segments: [segment(30), segment(9)],
    windows: [{ node: 'views', count: 1 }],
    timers: [{ node: 'idle', count: 2 }],
    refuses: [refused('views', at - 60_000), refused('views', at - 120_000), refused('joined', at - 180_000)],
  })
  expect(previewWords(all)).toEqual([
    'Expires 2 segments with 39 entries, closes 1 window, fires 2 timers.',
    'After it views, joined would drop records of before 11:59:00.',
  ])
  expect(previewWords(preview({ timers: [{ node: 'idle', count: 1 }] }))).toEqual(['Fires 1 timer.'])
})

it('names two places and counts the others', () => {
  const [only] = previewWords(preview({ refuses: ['a', 'b', 'c', 'd'].map((where) => refused(where, at)) }))
  expect(only).toBe('After it a, b and 2 more would drop records of before 12:00:00.')
})

it('says first what the guard would do', () => {
  const takes = { timers: [{ node: 'idle', count: 1 }] }
  expect(previewWords(preview({}, 'warned'))).toEqual(['The future guard would warn of it.'])
  expect(previewWords(preview(takes, 'fatal'))).toEqual(['The future guard would stop the run.', 'Fires 1 timer.'])
  expect(previewWords(preview(takes, 'rejected'))[0]).toMatch(/^The future guard would reject it/)
})
