import { useState } from 'react'
import { useServices } from '../../app/services.js'
import { formatDateTime } from '../../live/formatTime.js'
import { useLive } from '../../live/LiveProvider.js'
import type { LiveState } from '../../live/LiveStore.js'
import { useNow } from '../../live/useNow.js'
import { AHEAD_PRESETS } from '../../live/whatIf.js'
import { Select } from '../../ui/Select.js'
import { parseTime } from './parseTime.js'
import { timesOf, type UsualTime, usualTime } from './usualTime.js'

/** What was chosen for the time: what is usual, the wall clock as it goes, or a text that somebody typed. */
export type TimeChoice = 'usual' | 'now' | { readonly typed: string }

export interface ChosenTime {
  /** In ms; null for a text that is no time. */
  readonly at: number | null
  readonly text: string
  /** It goes with the wall clock. */
  readonly moves: boolean
  readonly usual: UsualTime
}

/**
 * The time that a choice means right now.
 *
 * @param newestRead greatest timestamp among the topic's records on the page; −1 when there is none
 */
export function useChosenTime(choice: TimeChoice, topic: string, newestRead: number): ChosenTime {
  const now = useNow()
  const newest = useLive((state) => wholeSeconds(timesOf(snapshotOf(state), topic).newest)) ?? -1
  const eventClock = useLive((state) => wholeSeconds(timesOf(snapshotOf(state), topic).eventClock)) ?? -1
  const usual = usualTime({ newest: Math.max(newest, newestRead), eventClock, wall: now })
  if (typeof choice === 'object') return { at: parseTime(choice.typed), text: choice.typed, moves: false, usual }
  const at = choice === 'usual' ? usual.at : null
  return { at: at ?? now, text: formatDateTime(at ?? now, 'ms'), moves: at === null, usual }
}

/** Clocks of a run that is over say nothing of the next. */
function snapshotOf({ run, view }: LiveState) {
  return run !== null && run.endedAt === null ? view?.frame?.snapshot : undefined
}

/** So that a clock that runs does not flicker; −1 stays what it is. */
function wholeSeconds(at: number): number {
  return at < 0 ? at : Math.floor(at / 1_000) * 1_000
}

/** The timestamp of a test record: it follows the traffic, or the wall clock, until somebody types one. */
export function RecordTime(props: {
  readonly choice: TimeChoice
  readonly time: ChosenTime
  readonly onChoose: (choice: TimeChoice) => void
}) {
  const { choice, time, onChoose } = props
  const { clock } = useServices()
  const { usual } = time
  const typed = typeof choice === 'object'
  // A clock that goes on under the cursor would undo the selection of whoever begins to type.
  const [held, setHeld] = useState<string | null>(null)
  const choose = (id: string) => {
    const preset = AHEAD_PRESETS.find((one) => one.id === id)
    if (id === 'usual' || id === 'now') onChoose(id)
    else if (preset) onChoose({ typed: formatDateTime(preset.from(clock.now()), 'ms') })
  }
  return (
    <div className="field-input">
      <div className="field-head">
        <span>Timestamp, UTC</span>
        <Select
          label="Which time"
          value={typed ? 'typed' : time.moves ? 'now' : 'usual'}
          options={[
            ...(typed ? [{ value: 'typed', label: 'as typed' }] : []),
            ...(usual.at === null ? [] : [{ value: 'usual', label: USUAL[usual.why] }]),
            ...AHEAD_PRESETS.map(({ id, label }) => ({ value: id, label })),
          ]}
          onChange={choose}
        />
      </div>
      <input
        className="input mono"
        aria-label="Timestamp"
        aria-invalid={time.at === null}
        value={typed ? time.text : (held ?? time.text)}
        onFocus={() => setHeld(time.text)}
        onBlur={() => setHeld(null)}
        onChange={(event) => onChoose({ typed: event.currentTarget.value })}
      />
    </div>
  )
}

/** Both are in the past, where the traffic runs. */
const USUAL: { readonly [why in UsualTime['why']]: string } = {
  now: 'now',
  newest: "the topic's newest",
  'event-clock': 'the event clock',
}
