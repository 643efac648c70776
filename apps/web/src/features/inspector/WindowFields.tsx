import type { NodeWindows } from '@lanescope/shared'
import { formatDuration, parseDuration } from '../../model/duration.js'
import { leastMs } from '../../model/queries.js'
import { Field, TextField } from '../../ui/Field.js'
import { Select } from '../../ui/Select.js'
import { durationProblem, needed } from './durationChecks.js'

const GRACE = 'How late a record may come'

/** How long windows are, and how late a record may come. */
export function WindowFields(props: {
  readonly windows: NodeWindows
  /** The field that changed, and all windows as they are then. */
  readonly onChange: (field: string, windows: NodeWindows) => void
}) {
  const { windows, onChange } = props
  const grace = (
    <Span
      label="Grace"
      hint={GRACE}
      ms={windows.graceMs}
      least={0}
      onChange={(graceMs) => onChange('grace', { ...windows, graceMs })}
    />
  )
  switch (windows.kind) {
    case 'time':
      return (
        <>
          <Span
            label="Window"
            hint="How long each one is"
            ms={windows.sizeMs}
            least={1}
            onChange={(sizeMs) => onChange('window', { ...windows, sizeMs })}
          />
          <Advance windows={windows} onChange={(next) => onChange('advance', next)} />
          {grace}
        </>
      )
    case 'session':
      return (
        <>
          <Span
            label="Gap"
            hint="A key that is quiet for longer begins a new session"
            ms={windows.gapMs}
            least={0}
            onChange={(gapMs) => onChange('gap', { ...windows, gapMs })}
          />
          {grace}
        </>
      )
    case 'sliding':
      return (
        <>
          <Span
            label="Difference"
            hint="The most that two records of one window are apart"
            ms={windows.differenceMs}
            least={1}
            onChange={(differenceMs) => onChange('difference', { ...windows, differenceMs })}
          />
          {grace}
        </>
      )
  }
}

function Span(props: {
  readonly label: string
  readonly hint: string
  readonly ms: number
  readonly least: number
  readonly onChange: (ms: number) => void
}) {
  const { label, hint, ms, least, onChange } = props
  return (
    <TextField
      label={label}
      value={formatDuration(ms)}
      hint={hint}
      check={(text) => needed(text, least)}
      onChange={(text) => onChange(parseDuration(text) ?? least)}
    />
  )
}

function Advance(props: {
  readonly windows: Extract<NodeWindows, { kind: 'time' }>
  readonly onChange: (windows: NodeWindows) => void
}) {
  const { windows, onChange } = props
  const { advanceMs, ...rest } = windows
  const { sizeMs } = windows
  return (
    <TextField
      label="Advance"
      value={advanceMs === undefined ? '' : formatDuration(advanceMs)}
      placeholder={`${formatDuration(sizeMs)}, no overlap`}
      hint="How far apart windows start; less than their length, and they overlap"
      check={(text) =>
        durationProblem(text) ??
        (text.trim() !== '' && ((parseDuration(text) ?? 0) < 1 || (parseDuration(text) ?? 0) > sizeMs)
          ? `More than 0, and at most the window: ${formatDuration(sizeMs)}.`
          : undefined)
      }
      onChange={(text) => {
        const next = parseDuration(text)
        onChange(next === undefined ? rest : { ...rest, advanceMs: next })
      }}
    />
  )
}

type Emit = 'window-update' | 'window-close'

/** When results are sent on: Kafka Streams' emit strategy. */
export function EmitField(props: {
  readonly value: 'window-close' | undefined
  readonly onChange: (value: 'window-close' | undefined) => void
}) {
  const { value, onChange } = props
  return (
    <Field
      label="Emit"
      hint={
        value === undefined
          ? 'Each time that a result changes'
          : 'Each window comes out once, when it takes no more records'
      }
    >
      {(id) => (
        <Select<Emit>
          full
          id={id}
          label="Emit"
          value={value ?? 'window-update'}
          options={[
            { value: 'window-update', label: 'on window update' },
            { value: 'window-close', label: 'on window close' },
          ]}
          onChange={(next) => onChange(next === 'window-close' ? next : undefined)}
        />
      )}
    </Field>
  )
}

/** For how long windows are kept. */
export function RetentionField(props: {
  readonly windows: NodeWindows
  readonly value: number | undefined
  readonly onChange: (value: number | undefined) => void
}) {
  const { windows, value, onChange } = props
  const least = leastMs(windows)
  return (
    <TextField
      label="Retention"
      value={value === undefined ? '' : formatDuration(value)}
      placeholder={`${formatDuration(least)}, the least`}
      check={(text) =>
        durationProblem(text) ??
        (text.trim() !== '' && (parseDuration(text) ?? 0) < least
          ? `At least as long as windows and grace need: ${formatDuration(least)}.`
          : undefined)
      }
      onChange={(text) => onChange(parseDuration(text))}
    />
  )
}

const MINUTE_MS = 60_000

/** Windows of each kind as they begin. */
const NEW_WINDOWS: { readonly [kind in NodeWindows['kind']]: NodeWindows } = {
  time: { kind: 'time', sizeMs: 60 * MINUTE_MS, graceMs: MINUTE_MS },
  session: { kind: 'session', gapMs: 30 * MINUTE_MS, graceMs: MINUTE_MS },
  sliding: { kind: 'sliding', differenceMs: 5 * MINUTE_MS, graceMs: MINUTE_MS },
}

/** Which windows an aggregation has, if any. */
export function WindowsField(props: {
  readonly value: NodeWindows | undefined
  readonly onChange: (value: NodeWindows | undefined) => void
}) {
  const { value, onChange } = props
  return (
    <Field label="Windows">
      {(id) => (
        <Select<NodeWindows['kind'] | 'none'>
          full
          id={id}
          label="Windows"
          value={value?.kind ?? 'none'}
          options={[
            { value: 'none', label: 'none: one result a key' },
            { value: 'time', label: 'time: tumbling or hopping' },
            { value: 'session', label: 'session: until it is quiet' },
            { value: 'sliding', label: 'sliding: close together' },
          ]}
          onChange={(kind) => onChange(kind === 'none' ? undefined : NEW_WINDOWS[kind])}
        />
      )}
    </Field>
  )
}
