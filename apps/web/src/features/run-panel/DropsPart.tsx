import { dropReasonWords } from '../../live/dropReasons.js'
import type { DropsHere } from '../../live/dropsHere.js'
import { combineNodes } from '../../live/figures.js'
import { formatCount, formatOf, formatShare } from '../../live/formatNumber.js'
import type { DropTotal } from '../../live/journal.js'
import { useLive } from '../../live/LiveProvider.js'
import { dropsAt } from '../../live/overlay.js'
import { useStores } from '../../store/context.js'

/** What a node dropped and why (G3), with the way to the records that it was; nothing where it dropped none. */
export function DropsPart(props: { readonly name: string; readonly names: readonly string[] }) {
  const { name, names } = props
  const { view } = useStores()
  const run = useLive((state) => state.view)
  const figures = run ? combineNodes(run.figures, names) : undefined
  const here = run && figures ? dropsAt(run, figures, names) : undefined
  if (here === undefined) return null
  const open = () => {
    view.getState().setParam('log-node', name)
    view.getState().openTab('log')
  }
  return (
    <section className="panel-part" aria-label="Dropped here">
      <h3>
        Dropped here
        <button type="button" className="button small" onClick={open}>
          Show them
        </button>
      </h3>
      <p className="drops-share">{shareWords(here)}</p>
      <ul className="drop-reasons">
        {here.reasons.map((drop) => (
          <Reason key={`${drop.reason} ${drop.node} ${drop.store}`} drop={drop} />
        ))}
      </ul>
    </section>
  )
}

function Reason({ drop }: { readonly drop: DropTotal }) {
  const { view } = useStores()
  const { coordinates } = drop.last
  const open = () => {
    if (coordinates === null) return
    const { topic, partition, offset } = coordinates
    const { params, set, openTab } = view.getState()
    const place = { records: 'topics', topic, partition: String(partition), offset: String(offset) }
    set({ params: { ...params, ...place } })
    openTab('records')
  }
  return (
    <li>
      <p>
        <span className="mono">{drop.reason}</span>
        <b className="mono danger">{formatCount(drop.count)}</b>
      </p>
      <p className="ink-3">
        {dropReasonWords(drop.reason)}
        {drop.store === null ? '' : `, store ${drop.store}`}
        {coordinates !== null && coordinates.offset >= 0 && (
          <>
            ; last{' '}
            <button type="button" className="mono drop-place" onClick={open}>
              {coordinates.topic}-{coordinates.partition} @ {formatCount(coordinates.offset)}
            </button>
          </>
        )}
      </p>
    </li>
  )
}

/** `92 % of what came in the last 10 s, 1,204 times`; of nothing there is no share. */
export function shareWords({ share, span, count }: DropsHere): string {
  const when = span === 'recent' ? 'in the last 10 s' : 'since the start'
  if (count === 0) return `Nothing ${when}; before that:`
  if (share === null) return `${formatOf(count, 'record')} ${when}.`
  return `${formatShare(share)} of what came ${when}, ${formatOf(count, 'time')}.`
}
