import { formatCount, formatOf } from '../../live/formatNumber.js'
import { Glyph } from '../../ui/Glyph.js'
import { Select } from '../../ui/Select.js'
import type { Page } from './readTopic.js'
import type { Loaded, PlaceInTopic } from './useTopics.js'

/** Which records of the topic are shown: of all partitions, or of one from an offset on. */
export function TopicBar(props: {
  readonly place: PlaceInTopic
  readonly page: Loaded<Page>
  readonly onGo: (partition: number | null, fromOffset?: number) => void
  readonly onRefresh: () => void
}) {
  const { place, page, onGo, onRefresh } = props
  const { partition, partitions, fromOffset } = place
  return (
    <div className="records-bar">
      <Select
        label="Partition"
        value={partition === null ? ALL : String(partition)}
        options={[
          { value: ALL, label: 'all partitions' },
          ...Array.from({ length: partitions }, (_, index) => ({ value: String(index), label: `partition ${index}` })),
        ]}
        onChange={(value) => onGo(value === ALL ? null : Number(value))}
      />
      {partition !== null && (
        <label className="topics-offset">
          offset
          <input
            className="input mono"
            type="number"
            min={0}
            value={fromOffset}
            onChange={(event) => onGo(partition, Math.max(0, Math.floor(event.currentTarget.valueAsNumber || 0)))}
          />
        </label>
      )}
      {page.state === 'loaded' && partition === null && (
        <span className="ink-3">{extentWords(page.value, partitions)}</span>
      )}
      {page.state === 'loaded' && partition !== null && page.value.next && (
        <PageButtons {...page.value.next} onOffset={(offset) => onGo(partition, offset)} />
      )}
      <button type="button" className="button lined small" onClick={onRefresh}>
        Read again
      </button>
    </div>
  )
}

const ALL = 'all'

/** `1 record · 4 partitions`, or how many of about how many are shown. */
export function extentWords({ records, total }: Pick<Page, 'records' | 'total'>, partitions: number): string {
  const where = formatOf(partitions, 'partition')
  if (records.length >= total) return `${formatOf(records.length, 'record')} · ${where}`
  return `the newest ${formatCount(records.length)} of about ${formatOf(total, 'record')} · ${where}`
}

function PageButtons(props: {
  readonly offset: number
  readonly end: number
  readonly onOffset: (offset: number) => void
}) {
  const { offset, end, onOffset } = props
  return (
    <>
      <span className="ink-3 mono">end {formatCount(end)}</span>
      <button type="button" className="button small" disabled={offset >= end} onClick={() => onOffset(offset)}>
        Next <Glyph name="arrow" size={12} />
      </button>
      <button type="button" className="button small" onClick={() => onOffset(Math.max(0, end - 50))}>
        Newest
      </button>
    </>
  )
}
