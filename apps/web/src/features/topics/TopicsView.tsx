import type { TopologyDocument } from '@lanescope/shared'
import { useState } from 'react'
import { formatCount } from '../../live/formatNumber.js'
import { formatDateTime } from '../../live/formatTime.js'
import { spacedHex } from '../../live/hex.js'
import { shorten } from '../../live/shorten.js'
import { useProject, useStores, useView } from '../../store/context.js'
import { Glyph } from '../../ui/Glyph.js'
import { Select } from '../../ui/Select.js'
import { textOf } from './decodeBytes.js'
import { ProduceForm } from './ProduceForm.js'
import type { Written } from './useProduce.js'
import { type Loaded, type Page, useTopicPage, useTopics } from './useTopics.js'
import './topics.css'

/** Topics of the project's log: their records from an offset on, and a form to add one. */
export function TopicsView() {
  const { view } = useStores()
  const { topics, reload } = useTopics()
  const chosen = useView((state) => state.params.topic)
  const [partition, setPartition] = useState(0)
  const [fromOffset, setFromOffset] = useState(0)
  const [round, setRound] = useState(0)
  const [written, setWritten] = useState<Written | null>(null)
  const all = topics.state === 'loaded' ? topics.value : []
  const read = useProject((state) => firstSourceTopic(state.workspace.document))
  const topic = [chosen, read].flatMap((name) => all.find((one) => one.topic === name) ?? [])[0] ?? all[0]
  const place = topic ? { topic: topic.topic, partition: Math.min(partition, topic.partitions - 1), fromOffset } : null
  const page = useTopicPage(place, round)
  const refresh = () => {
    reload()
    setRound((before) => before + 1)
  }
  const showSent = (at: Written) => {
    setPartition(at.partition)
    setFromOffset(at.offset < 100 ? 0 : at.offset - 50)
    setWritten(at)
    refresh()
  }
  const open = (name: string) => {
    view.getState().setParam('topic', name)
    setPartition(0)
    setFromOffset(0)
    setWritten(null)
  }
  if (topics.state === 'refused') return <p className="topics-said danger">{topics.message}</p>
  if (!topic || !place) {
    return (
      <p className="topics-said ink-3">
        {topics.state === 'loading'
          ? 'Asking for topics…'
          : 'This log has no topic yet. A run and its generators make them.'}
      </p>
    )
  }
  return (
    <div className="topics-tab">
      <ul className="topics-list" aria-label="Topics">
        {all.map((one) => (
          <li key={one.topic}>
            <button type="button" aria-current={one.topic === topic.topic} onClick={() => open(one.topic)}>
              <span>{one.topic}</span>
              <small>{one.partitions}</small>
            </button>
          </li>
        ))}
      </ul>
      <div className="topics-main">
        <div className="records-bar">
          <Select
            label="Partition"
            value={String(place.partition)}
            options={Array.from({ length: topic.partitions }, (_, index) => ({
              value: String(index),
              label: `partition ${index}`,
            }))}
            onChange={(value) => {
              setPartition(Number(value))
              setFromOffset(0)
            }}
          />
          <label className="topics-offset">
            offset
            <input
              className="input mono"
              type="number"
              min={0}
              value={fromOffset}
              onChange={(event) => setFromOffset(Math.max(0, Math.floor(event.currentTarget.valueAsNumber || 0)))}
            />
          </label>
          <PageButtons page={page} onOffset={setFromOffset} />
          <button type="button" className="button lined small" onClick={refresh}>
            Read again
          </button>
        </div>
        <RecordTable page={page} written={written?.partition === place.partition ? written.offset : null} />
      </div>
      <ProduceForm key={topic.topic} topic={topic} onSent={showSent} />
    </div>
  )
}

function PageButtons({ page, onOffset }: { readonly page: Loaded<Page>; readonly onOffset: (offset: number) => void }) {
  if (page.state !== 'loaded') return null
  const { nextOffset, end } = page.value
  return (
    <>
      <span className="ink-3 mono">end {formatCount(end)}</span>
      <button type="button" className="button small" disabled={nextOffset >= end} onClick={() => onOffset(nextOffset)}>
        Next <Glyph name="arrow" size={12} />
      </button>
      <button type="button" className="button small" onClick={() => onOffset(Math.max(0, end - 50))}>
        Newest
      </button>
    </>
  )
}

function RecordTable(props: { readonly page: Loaded<Page>; readonly written: number | null }) {
  const { page, written } = props
  if (page.state === 'loading') return <p className="topics-said ink-3">Reading…</p>
  if (page.state === 'refused') return <p className="topics-said danger">{page.message}</p>
  if (page.value.records.length === 0) return <p className="topics-said ink-3">No record from this offset on.</p>
  return (
    <div className="records-scroll">
      <table className="records-table" aria-label="Records of the topic">
        <thead>
          <tr>
            <th>Offset</th>
            <th>Timestamp</th>
            <th>Key</th>
            <th>Key bytes</th>
            <th>Value</th>
            <th>Headers</th>
          </tr>
        </thead>
        <tbody>
          {page.value.records.map((record) => (
            <tr
              key={record.offset}
              aria-current={record.offset === written}
              ref={record.offset === written ? bringIntoView : null}
            >
              <td>{formatCount(record.offset)}</td>
              <td>{formatDateTime(record.timestamp, 'ms')}</td>
              <td className="records-key" title={hexTitle(record.key)}>
                {bytesWords(record.key)}
              </td>
              <td className="ink-3">{record.key === null ? '' : spacedHex(record.key, 8)}</td>
              <td className="records-value" title={hexTitle(record.value)}>
                {bytesWords(record.value)}
              </td>
              <td className="ink-3">{record.headers.map(([name]) => name).join(', ')}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** The text whole, as far as a hint can hold it, and the bytes. */
function hexTitle(hex: string | null): string | undefined {
  if (hex === null) return undefined
  return [textOf(hex.slice(0, 4_000)), spacedHex(hex, 64)].filter((part) => part !== null).join('\n')
}

function bringIntoView(row: HTMLTableRowElement | null): void {
  row?.scrollIntoView({ block: 'nearest' })
}

/** What one most likely wants to see and to feed: what the topology reads. */
function firstSourceTopic(document: TopologyDocument): string | undefined {
  for (const node of document.nodes) {
    const [topic] = node.kind === 'source' ? node.properties.topics : []
    if (topic !== undefined) return topic
  }
  return undefined
}

function bytesWords(hex: string | null) {
  if (hex === null) return <span className="ink-3">null</span>
  // Two characters a byte; a value may be megabytes long.
  const text = textOf(hex.slice(0, 4_000))
  return text === null ? (
    <span className="ink-2">{spacedHex(hex, 16)}</span>
  ) : (
    shorten(text, hex.length > 4_000 ? text.length - 1 : 2_000)
  )
}
