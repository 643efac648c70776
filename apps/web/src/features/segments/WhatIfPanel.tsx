import { type FormEvent, useEffect, useState } from 'react'
import { formatCount, formatOf } from '../../live/formatNumber.js'
import { formatBound, formatClock, formatDate, formatDateTime, formatSpan } from '../../live/formatTime.js'
import {
  AHEAD_PRESETS,
  dangerOf,
  entriesTaken,
  type Preview,
  timersTaken,
  VERDICT_WORDS,
  type WhatIf,
  windowsTaken,
} from '../../live/whatIf.js'
import { Select } from '../../ui/Select.js'
import { parseTime } from '../topics/parseTime.js'
import { SendRecord } from './SendRecord.js'

export interface WhatIfPanelProps {
  readonly sources: readonly string[]
  readonly source: string | null
  readonly onSource: (source: string) => void
  readonly whatIf: WhatIf | null
  readonly wall: number
  readonly onTimestamp: (at: number | null) => void
}

/** What one record of a time would take, asked of the running engine; nothing is sent until the button is pressed. */
export function WhatIfPanel(props: WhatIfPanelProps) {
  const { sources, source, onSource, whatIf, wall, onTimestamp } = props
  const [draft, setDraft] = useState<string | null>(null)
  const wrong = isWrong(draft)
  const at = whatIf?.timestamp ?? null
  // The marker was moved on the axis: what was typed before is no longer meant.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another time drops the draft.
  useEffect(() => setDraft(null), [at])
  return (
    <section className="what-if" aria-label="What if">
      <header>
        <h3>What if</h3>
        <span className="ink-3">nothing is sent</span>
        <span className="spring" />
        {(whatIf || wrong) && (
          <button
            type="button"
            className="button small"
            onClick={() => {
              setDraft(null)
              onTimestamp(null)
            }}
          >
            Clear
          </button>
        )}
      </header>
      <p className="what-if-of">
        One record of{' '}
        {sources.length > 1 ? (
          <Select
            label="Source"
            value={source ?? ''}
            options={sources.map((value) => ({ value, label: value }))}
            onChange={onSource}
          />
        ) : (
          <b>{source}</b>
        )}{' '}
        with the timestamp
      </p>
      <Timestamp
        at={at}
        draft={draft}
        onDraft={setDraft}
        onTimestamp={(at) => {
          setDraft(null)
          onTimestamp(at)
        }}
        wall={wall}
      />
      {whatIf && !wrong && <Answer whatIf={whatIf} wall={wall} />}
      {whatIf && <SendRecord source={whatIf.source} timestamp={whatIf.timestamp} held={wrong} />}
    </section>
  )
}

/** Whether a text that is typed is no time; nothing typed yet is none of these. */
export function isWrong(draft: string | null): boolean {
  return draft !== null && parseTime(draft) === null
}

function Timestamp(props: {
  readonly at: number | null
  readonly draft: string | null
  readonly onDraft: (draft: string) => void
  readonly wall: number
  readonly onTimestamp: (at: number) => void
}) {
  const { at, draft, onDraft, wall, onTimestamp } = props
  const wrong = isWrong(draft)
  const take = (event: FormEvent) => {
    event.preventDefault()
    const parsed = draft === null ? null : parseTime(draft)
    if (parsed !== null) onTimestamp(parsed)
  }
  return (
    <>
      <form onSubmit={take} onBlur={take}>
        <input
          className={at === null ? 'input mono what-if-time none' : 'input mono what-if-time'}
          aria-label="Timestamp"
          aria-invalid={wrong}
          placeholder="2036-11-30 12:00 UTC"
          value={draft ?? (at === null ? '' : formatDateTime(at, 'ms'))}
          onChange={(event) => onDraft(event.currentTarget.value)}
        />
      </form>
      {wrong && <p className="field-problem">Not a time: write it as 2036-11-30 12:00, in UTC, or in milliseconds.</p>}
      <fieldset className="what-if-presets" aria-label="Ahead of the wall clock">
        {AHEAD_PRESETS.map((preset) => (
          <button
            key={preset.id}
            type="button"
            className="button lined small"
            onClick={() => onTimestamp(preset.from(wall))}
          >
            {preset.label}
          </button>
        ))}
      </fieldset>
    </>
  )
}

function Answer({ whatIf, wall }: { readonly whatIf: WhatIf; readonly wall: number }) {
  const { answer, timestamp } = whatIf
  if (answer.state === 'asking') return <p className="ink-3">Asking the engine…</p>
  if (answer.state === 'refused') return <p className="what-if-refused">{answer.error.message}</p>
  const { preview } = answer
  const old = answer.timestamp !== timestamp
  const ahead = timestamp - preview.referenceClock
  return (
    <div className={old ? 'what-if-answer old' : 'what-if-answer'} aria-live="polite">
      <p className="what-if-ahead">
        {formatSpan(ahead)} {ahead < 0 ? 'behind' : 'ahead of'} the wall clock,{' '}
        {ahead > preview.boundMs ? 'beyond' : 'within'} the bound of {formatSpan(preview.boundMs)}.
      </p>
      <Counts preview={preview} />
      <SegmentsTaken preview={preview} />
      <AfterIt preview={preview} wall={wall} />
      <div className="what-if-part">
        <h4>
          Guard <span className={`mono verdict ${preview.wouldBe}`}>{preview.wouldBe}</span>
        </h4>
        <p>{VERDICT_WORDS[preview.wouldBe]}</p>
      </div>
    </div>
  )
}

function Counts({ preview }: { readonly preview: Preview }) {
  const danger = dangerOf(preview)
  const { segments, windows, timers } = preview.blast
  return (
    <dl className={`what-if-counts ${danger}`}>
      <div>
        <dt>
          {segments.length === 1 ? 'segment expires' : 'segments expire'}
          {segments.length > 0 && `, ${formatOf(entriesTaken(preview), 'entry', 'entries')}`}
        </dt>
        <dd>{formatCount(segments.length)}</dd>
      </div>
      <div>
        <dt>windows close{windows.length > 0 && `, at ${windows.map((entry) => entry.node).join(', ')}`}</dt>
        <dd>{formatCount(windowsTaken(preview))}</dd>
      </div>
      <div>
        <dt>timers fire at once{timers.length > 0 && `, at ${timers.map((entry) => entry.node).join(', ')}`}</dt>
        <dd>{formatCount(timersTaken(preview))}</dd>
      </div>
    </dl>
  )
}

function SegmentsTaken({ preview }: { readonly preview: Preview }) {
  const { segments } = preview.blast
  if (segments.length === 0) return null
  return (
    <div className="what-if-part">
      <h4>
        Segments it takes <span className="ink-3">entries</span>
      </h4>
      <table>
        <tbody>
          {segments.map((segment) => {
            const length = segment.to - segment.from
            return (
              <tr key={`${segment.store} ${segment.segment}`}>
                <th scope="row">{segment.store}</th>
                <td className="ink-2">
                  {formatBound(segment.from, length)} to {formatBound(segment.to, length).replace(/^\d{4}-/, '')}
                </td>
                <td>{formatCount(segment.entries)}</td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}

function AfterIt({ preview, wall }: { readonly preview: Preview; readonly wall: number }) {
  const { refuses } = preview.blast
  if (refuses.length === 0) return null
  return (
    <div className="what-if-part">
      <h4>After it</h4>
      {refuses.map((span) => (
        <p key={`${span.where} ${span.reason}`}>
          <b>{span.where}</b> drops <b>{formatSpan(span.to - Math.max(0, span.from))}</b> of records,{' '}
          {span.reason === 'late_window' ? 'as late for their windows' : 'as expired segments'}: those before{' '}
          {until(span.to, wall)}.
        </p>
      ))}
    </div>
  )
}

function until(at: number, wall: number): string {
  return formatDate(at) === formatDate(wall) ? formatClock(at) : formatDateTime(at, 'minute')
}
