import type { WireTopic } from '@lanescope/shared'
import { useMemo, useState } from 'react'
import { useServices } from '../../app/services.js'
import { formatDateTime } from '../../live/formatTime.js'
import { AHEAD_PRESETS } from '../../live/whatIf.js'
import { useProject } from '../../store/context.js'
import { Select } from '../../ui/Select.js'
import { encodeField, usualFields } from './encodeField.js'
import { FieldInput } from './FieldInput.js'
import { parseTime } from './parseTime.js'
import { SentLine } from './SentLine.js'
import { useProduce, type Written } from './useProduce.js'

/** Adds one record to a topic: key and value as text, JSON, a long or raw bytes, and any timestamp. */
export function ProduceForm(props: { readonly topic: WireTopic; readonly onSent: (at: Written) => void }) {
  const { topic, onSent } = props
  const { clock } = useServices()
  const document = useProject((state) => state.workspace.document)
  const usual = useMemo(() => usualFields(document, topic.topic), [document, topic.topic])
  const [keyField, setKey] = useState(usual.key)
  const [valueField, setValue] = useState(usual.value)
  const [partition, setPartition] = useState('-1')
  const [time, setTime] = useState(() => formatDateTime(clock.now(), 'ms'))
  const [sent, send] = useProduce()
  const key = encodeField(keyField)
  const value = encodeField(valueField)
  const timestamp = parseTime(time)
  const ready = key.ok && value.ok && timestamp !== null && sent.state !== 'sending'
  return (
    <form
      className="produce-form"
      aria-label={`Produce to ${topic.topic}`}
      onSubmit={(event) => {
        event.preventDefault()
        if (!key.ok || !value.ok || timestamp === null) return
        const record = { topic: topic.topic, partition: Number(partition), key: key.hex, value: value.hex, timestamp }
        void send(record).then((at) => at && onSent(at))
      }}
    >
      <h3>
        A test record <span className="ink-3">to {topic.topic}</span>
      </h3>
      <FieldInput label="Key" field={keyField} onChange={setKey} />
      <FieldInput label="Value" field={valueField} onChange={setValue} rows={2} />
      <div className="field-input">
        <div className="field-head">
          <span>Timestamp, UTC</span>
        </div>
        <input
          className="input mono"
          aria-label="Timestamp"
          aria-invalid={timestamp === null}
          value={time}
          onChange={(event) => setTime(event.currentTarget.value)}
        />
        <div className="produce-presets">
          {AHEAD_PRESETS.map((preset) => (
            <button
              key={preset.id}
              type="button"
              className="button small"
              onClick={() => setTime(formatDateTime(preset.from(clock.now()), 'ms'))}
            >
              {preset.label}
            </button>
          ))}
        </div>
      </div>
      <div className="field-head">
        <span>Partition</span>
        <Select
          label="Partition to write"
          value={partition}
          options={[
            { value: '-1', label: 'by key' },
            ...Array.from({ length: topic.partitions }, (_, index) => ({
              value: String(index),
              label: `partition ${index}`,
            })),
          ]}
          onChange={setPartition}
        />
      </div>
      <div className="produce-foot">
        <button type="submit" className="button primary wide" disabled={!ready}>
          Produce
        </button>
        <SentLine sent={sent} idle="" />
      </div>
    </form>
  )
}
