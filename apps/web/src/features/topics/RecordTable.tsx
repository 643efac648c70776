import type { WireRecord } from '@lanescope/shared'
import { useMemo } from 'react'
import { formatCount } from '../../live/formatNumber.js'
import { formatDateTime } from '../../live/formatTime.js'
import { spacedHex } from '../../live/hex.js'
import { KeyText } from '../../live/KeyText.js'
import { shorten } from '../../live/shorten.js'
import { useFindings, useProject } from '../../store/context.js'
import { textOf } from './decodeBytes.js'
import type { Page } from './readTopic.js'
import { type SidesOfTopic, serdesOfTopic } from './serdesOfTopic.js'
import { serdeText } from './serdeText.js'
import type { Written } from './useProduce.js'
import type { Loaded } from './useTopics.js'

/** Records of a topic, decoded as the drawing reads or writes them. */
export function RecordTable(props: {
  readonly topic: string
  readonly page: Loaded<Page>
  readonly written: Written | null
  /** Of all partitions: each says its own. */
  readonly ofAll: boolean
}) {
  const { topic, page, written, ofAll } = props
  const document = useProject((state) => state.workspace.document)
  const analysed = useFindings((state) => state.analysis?.view?.nodes)
  const sides = useMemo(() => serdesOfTopic(document, analysed ?? [], topic), [document, analysed, topic])
  if (page.state === 'loading') return <p className="topics-said ink-3">Reading…</p>
  if (page.state === 'refused') return <p className="topics-said danger">{page.message}</p>
  const { records } = page.value
  if (records.length === 0)
    return (
      <p className="topics-said ink-3">{ofAll ? 'No record in this topic yet.' : 'No record from this offset on.'}</p>
    )
  const keyBytes = records.some(({ key }) => key !== null && !isSaid(key, sides.key))
  return (
    <div className="records-scroll">
      <table className="records-table" aria-label="Records of the topic">
        <thead>
          <tr>
            {ofAll && <th>Partition</th>}
            <th>Offset</th>
            <th>Key</th>
            <th>Value</th>
            <th>Timestamp</th>
            <th>Headers</th>
            {keyBytes && <th>Key bytes</th>}
          </tr>
        </thead>
        <tbody>
          {records.map((record) => (
            <Row
              key={`${record.partition} ${record.offset}`}
              record={record}
              sides={sides}
              isNew={record.partition === written?.partition && record.offset === written.offset}
              ofAll={ofAll}
              keyBytes={keyBytes}
            />
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Row(props: {
  readonly record: WireRecord
  readonly sides: SidesOfTopic
  readonly isNew: boolean
  readonly ofAll: boolean
  readonly keyBytes: boolean
}) {
  const { record, sides, isNew, ofAll, keyBytes } = props
  const { key } = record
  return (
    <tr aria-current={isNew} ref={isNew ? bringIntoView : null}>
      {ofAll && <td>{record.partition}</td>}
      <td>{formatCount(record.offset)}</td>
      <td className="records-key" title={hexTitle(key)}>
        <BytesText hex={key} serde={sides.key} isKey />
      </td>
      <td className="records-value" title={hexTitle(record.value)}>
        <BytesText hex={record.value} serde={sides.value} />
      </td>
      <td>{formatDateTime(record.timestamp, 'ms')}</td>
      <td className="ink-3">{record.headers.map(([name]) => name).join(', ')}</td>
      {keyBytes && <td className="ink-3">{key === null || isSaid(key, sides.key) ? '' : spacedHex(key, 8)}</td>}
    </tr>
  )
}

/** As its serde reads it, else as text, else the bytes themselves. */
function BytesText(props: { readonly hex: string | null; readonly serde: string | undefined; readonly isKey?: true }) {
  const { hex, serde, isKey } = props
  if (hex === null) return <span className="ink-3">null</span>
  const text = readableOf(hex, serde)
  if (text === null) return <span className="ink-2">{spacedHex(hex, 16)}</span>
  if (isKey) return <KeyText text={text} most={400} />
  return shorten(text, hex.length > MOST ? text.length - 1 : 2_000)
}

/** Two characters a byte; a value may be megabytes long. */
const MOST = 4_000

function readableOf(hex: string, serde: string | undefined): string | null {
  const known = serde === undefined || hex.length > MOST ? null : serdeText(hex, serde)
  return known ?? textOf(hex.slice(0, MOST))
}

/** Whether a key's bytes stand in its own column already, for want of a reading. */
function isSaid(key: string, serde: string | undefined): boolean {
  return readableOf(key, serde) === null
}

/** The text whole, as far as a hint can hold it, and the bytes. */
function hexTitle(hex: string | null): string | undefined {
  if (hex === null) return undefined
  return [textOf(hex.slice(0, MOST)), spacedHex(hex, 64)].filter((part) => part !== null).join('\n')
}

function bringIntoView(row: HTMLTableRowElement | null): void {
  row?.scrollIntoView({ block: 'nearest' })
}
