import { formatCount, formatOf } from '../../live/formatNumber.js'
import { formatSpan } from '../../live/formatTime.js'
import type { EpochEvent } from './epochPhases.js'

/** What an aborted epoch means, in the order in which one asks: what was lost, why, what happens now. */
export interface AbortWords {
  readonly held: string
  readonly why: string
  readonly next: readonly string[]
}

/** Null for an epoch that was committed. */
export function abortWords(epoch: EpochEvent): AbortWords | null {
  if (epoch.outcome !== 'aborted') return null
  return {
    held: heldWords(epoch),
    why: asSentence(epoch.message ?? 'The engine gave no reason.'),
    next: nextWords(epoch),
  }
}

function heldWords({ records, outputs, timersFired, runMs }: EpochEvent): string {
  const parts = [
    ...(records > 0 ? [formatOf(records, 'record')] : []),
    ...(outputs > 0 ? [formatOf(outputs, 'output')] : []),
    ...(timersFired > 0 ? [formatOf(timersFired, 'timer')] : []),
  ]
  if (parts.length === 0) return 'It had done nothing yet.'
  return `It had done ${listed(parts)} in ${formatSpan(runMs)}; all of that is taken back, none of it is seen by anyone.`
}

function nextWords({ epoch, inDoubt, restart }: EpochEvent): readonly string[] {
  const doubt =
    inDoubt === undefined
      ? []
      : [
          `The commit of epoch ${formatCount(inDoubt)}${inDoubt === epoch ? '' : ' before it'} was not answered: the log says at the next start whether it counts.`,
        ]
  if (restart === undefined)
    return [...doubt, 'The run ends. The next one goes on from the last commit, and reads these records again.']
  const { attempt, of, delayMs, cutsBefore } = restart
  return [
    ...doubt,
    `Restart ${attempt} of ${of} in place after ${formatSpan(delayMs)}, from the last commit: the same records are read again.`,
    ...(cutsBefore === undefined
      ? []
      : [
          `${cutsBefore.topic}-${cutsBefore.partition} @ ${formatCount(cutsBefore.offset)} has failed twice: the next epoch ends just before it, so that what lies before it is committed.`,
        ]),
  ]
}

function listed(parts: readonly string[]): string {
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`
}

function asSentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`
}
