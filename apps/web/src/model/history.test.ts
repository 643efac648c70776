import { describe, expect, it } from 'vitest'
import {
  BATCH_MS,
  MAX_STEPS,
  record,
  redo,
  redoLabel,
  replacePresent,
  startHistory,
  undo,
  undoLabel,
} from './history.js'

const step = (label: string, at = 0, batch?: string) => (batch === undefined ? { label, at } : { label, at, batch })

describe('history', () => {
  it('takes steps back and forth in order', () => {
    let history = record(record(startHistory('a'), 'b', step('to b')), 'c', step('to c'))
    expect(undoLabel(history)).toBe('to c')
    history = undo(history)
    expect([history.present, undoLabel(history), redoLabel(history)]).toEqual(['b', 'to b', 'to c'])
    history = undo(history)
    expect([history.present, undoLabel(history), redoLabel(history)]).toEqual(['a', undefined, 'to b'])
    history = redo(redo(history))
    expect([history.present, redoLabel(history)]).toEqual(['c', undefined])
  })

  it('is the same history after undo with nothing to undo and redo with nothing to redo', () => {
    const history = startHistory('a')
    expect(undo(history)).toBe(history)
    expect(redo(history)).toBe(history)
  })

  it('makes no step of a change that changes nothing', () => {
    const history = record(startHistory('a'), 'b', step('x'))
    expect(record(history, 'b', step('y'))).toBe(history)
  })

  it('forgets what could be redone once something new is done', () => {
    const history = record(undo(record(startHistory('a'), 'b', step('b'))), 'c', step('c'))
    expect(history.future).toEqual([])
    expect(redo(history).present).toBe('c')
  })

  it('joins a burst with one key into one step, up to and with the longest pause', () => {
    let history = record(startHistory('a'), 'b', step('typing', 0, 'k'))
    history = record(history, 'c', step('typing', BATCH_MS, 'k'))
    expect(history.past).toHaveLength(1)
    expect(undo(history).present).toBe('a')
  })

  it('ends a burst after a longer pause, by another key, and by a step without one', () => {
    const first = record(startHistory('a'), 'b', step('typing', 0, 'k'))
    expect(record(first, 'c', step('typing', BATCH_MS + 1, 'k')).past).toHaveLength(2)
    expect(record(first, 'c', step('typing', 1, 'other')).past).toHaveLength(2)
    const between = record(first, 'c', step('click', 1))
    expect(record(between, 'd', step('typing', 2, 'k')).past).toHaveLength(3)
  })

  it('does not continue a burst over an undo', () => {
    let history = record(record(startHistory('a'), 'b', step('x', 0, 'k')), 'c', step('y', 1, 'other'))
    history = undo(history)
    expect(record(history, 'd', step('y', 2, 'other')).past.map((one) => one.before)).toEqual(['a', 'b'])
  })

  it('keeps the newest steps only', () => {
    let history = startHistory(0)
    for (let i = 1; i <= MAX_STEPS + 1; i++) history = record(history, i, step(`${i}`))
    expect(history.past).toHaveLength(MAX_STEPS)
    expect(history.past[0]?.before).toBe(1)
  })

  it('replaces the present without a step', () => {
    const history = replacePresent(record(startHistory('a'), 'b', step('b')), 'disk')
    expect([history.present, history.past.length, undo(history).present]).toEqual(['disk', 1, 'a'])
  })
})
