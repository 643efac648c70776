import { Fragment, useMemo } from 'react'
import { formatCount } from '../../live/formatNumber.js'
import { formatClock, formatDateTime } from '../../live/formatTime.js'
import { spacedHex } from '../../live/hex.js'
import { KeyText } from '../../live/KeyText.js'
import { LiveEmpty } from '../../live/LiveEmpty.js'
import { useLive, useLiveStore } from '../../live/LiveProvider.js'
import type { SeenSample } from '../../live/RunView.js'
import { shorten } from '../../live/shorten.js'
import { useStores, useView } from '../../store/context.js'
import { Glyph } from '../../ui/Glyph.js'
import { Select } from '../../ui/Select.js'
import { filterSamples, type Owners, outside, ownersOf, placeOf, placesOf } from './sampleFilter.js'

/** Rows beyond this are left out of the table, and said. */
const ROWS = 200

/** Sampled records by place and key: decoded, raw, lane and coordinates. */
export function SamplesView() {
  const { view } = useStores()
  const all = useLive((state) => state.view?.samples)
  const names = useLive((state) => state.names)
  const place = useView((state) => state.params.place) ?? ''
  const key = useView((state) => state.params.key) ?? ''
  const owners = useMemo(() => ownersOf(names ?? new Map()), [names])
  const samples = useMemo(() => outside(all ?? [], owners), [all, owners])
  const places = useMemo(() => placesOf(samples, owners), [samples, owners])
  const shown = useMemo(() => filterSamples(samples, { place, key }, owners), [samples, place, key, owners])
  const setParam = (name: string, value: string) => view.getState().setParam(name, value === '' ? null : value)
  if (samples.length === 0) {
    return (
      <LiveEmpty shows="Records seen on edges and lanes are listed here, decoded and as raw bytes, with lane and coordinates." />
    )
  }
  return (
    <div className="records-tab">
      <div className="records-bar">
        <Select
          label="Seen at"
          value={place}
          options={places.some((one) => one.value === place) ? places : [...places, { value: place, label: place }]}
          onChange={(value) => setParam('place', value)}
        />
        <span className="records-follow">
          <Glyph name="search" size={13} />
          <input
            className="input mono"
            aria-label="Follow a key"
            placeholder="follow a key"
            value={key}
            onChange={(event) => setParam('key', event.currentTarget.value)}
          />
          {key !== '' && (
            <button
              type="button"
              className="icon-button small"
              aria-label="Follow no key"
              onClick={() => setParam('key', '')}
            >
              <Glyph name="close" size={13} />
            </button>
          )}
        </span>
        <PauseButton />
        <span className="ink-3">
          {shown.length > ROWS
            ? `the newest ${ROWS} of ${formatCount(shown.length)} that match`
            : `${formatCount(shown.length)} of ${formatCount(samples.length)} samples`}
        </span>
      </div>
      <SampleTable samples={shown.slice(0, ROWS)} owners={owners} onFollow={(value) => setParam('key', value)} />
    </div>
  )
}

/** Of a run that is over nothing more comes; what was held back is still to be shown. */
export function canPause(over: boolean, paused: boolean): boolean {
  return !over || paused
}

function PauseButton() {
  const live = useLiveStore()
  const paused = useLive((state) => state.pausedAt !== null) ?? false
  const held = useLive((state) => state.heldBack) ?? 0
  const over = useLive((state) => state.run === null || state.run.endedAt !== null) ?? true
  if (!canPause(over, paused)) return null
  return (
    <button
      type="button"
      className="button lined small"
      aria-pressed={paused}
      onClick={() => (paused ? live?.resume() : live?.pause())}
    >
      <Glyph name={paused ? 'play' : 'pause'} size={12} />
      {paused ? `Resume, ${formatCount(held)} frames buffered` : 'Pause'}
    </button>
  )
}

function SampleTable(props: {
  readonly samples: readonly SeenSample[]
  readonly owners: Owners
  readonly onFollow: (key: string) => void
}) {
  const { samples, owners, onFollow } = props
  const gap = useLive((state) => state.lastGap)
  const gapBefore = gap ? samples.find((sample) => sample.at <= gap.from)?.id : undefined
  return (
    <div className="records-scroll">
      <table className="records-table" aria-label="Sampled records">
        <thead>
          <tr>
            <th>Seen</th>
            <th>At</th>
            <th>Lane</th>
            <th>Key</th>
            <th>Key bytes</th>
            <th>Value</th>
            <th>Timestamp</th>
            <th>Coordinates</th>
          </tr>
        </thead>
        <tbody>
          {samples.map((sample) => (
            <Fragment key={sample.id}>
              {gap && sample.id === gapBefore && (
                <tr className="records-gap">
                  <td colSpan={8}>
                    view paused {formatClock(gap.from)} to {formatClock(gap.to)}, {formatCount(gap.frames)} frames shown
                    at once after it
                  </td>
                </tr>
              )}
              <tr>
                <td>{formatClock(sample.at, 'ms')}</td>
                <td className="records-place">{placeOf(sample, owners)}</td>
                <td>{sample.lane}</td>
                <td>
                  {sample.key === null ? (
                    <span className="ink-3">null</span>
                  ) : (
                    <button
                      type="button"
                      title={`Follow ${shorten(sample.key, 400)}`}
                      onClick={() => onFollow(sample.key ?? '')}
                    >
                      <KeyText text={sample.key} most={48} />
                    </button>
                  )}
                </td>
                <td className="ink-3">{sample.keyBytes === null ? '' : spacedHex(sample.keyBytes, 8)}</td>
                <td className="records-value" title={sample.value === null ? undefined : shorten(sample.value, 2_000)}>
                  {sample.value === null ? null : shorten(sample.value, 400)}
                  {sample.value === null && <span className="ink-3">{sample.to === null ? '' : 'null'}</span>}
                </td>
                <td>{formatDateTime(sample.timestamp, 'ms')}</td>
                <td className="ink-3">
                  {sample.coordinates
                    ? `${sample.coordinates.topic}-${sample.coordinates.partition} @ ${formatCount(sample.coordinates.offset)}`
                    : 'made in the engine'}
                </td>
              </tr>
            </Fragment>
          ))}
        </tbody>
      </table>
    </div>
  )
}
