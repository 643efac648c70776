import { formatDateTime } from '../../live/formatTime.js'
import { useLive } from '../../live/LiveProvider.js'
import type { LiveState } from '../../live/LiveStore.js'
import { useNow } from '../../live/useNow.js'
import { AHEAD_PRESETS } from '../../live/whatIf.js'
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
export function RecordTime(props: { readonly time: ChosenTime; readonly onChoose: (choice: TimeChoice) => void }) {
  const { time, onChoose } = props
  const now = useNow()
  const { usual } = time
  const typed = (at: number) => ({ typed: formatDateTime(at, 'ms') })
  return (
    <div className="field-input">
      <div className="field-head">
        <span>Timestamp, UTC</span>
        {time.moves && <span className="ink-3">now</span>}
      </div>
      <input
        className="input mono"
        aria-label="Timestamp"
        aria-invalid={time.at === null}
        value={time.text}
        onChange={(event) => onChoose({ typed: event.currentTarget.value })}
      />
      <div className="produce-presets">
        {usual.at !== null && (
          <button type="button" className="button small" title={USUAL[usual.why]} onClick={() => onChoose('usual')}>
            as its traffic
          </button>
        )}
        {AHEAD_PRESETS.map((preset) => (
          <button
            key={preset.id}
            type="button"
            className="button small"
            onClick={() => onChoose(preset.id === 'now' ? 'now' : typed(preset.from(now)))}
          >
            {preset.label}
          </button>
        ))}
      </div>
    </div>
  )
}

const USUAL: { readonly [why in UsualTime['why']]: string } = {
  now: 'The wall clock',
  newest: 'The newest timestamp of the topic, whose traffic runs in the past',
  'event-clock': 'Where the event clock of the run stands, in the past',
}
