import type { WireTopic } from '@lanescope/shared'
import { useMemo, useState } from 'react'
import { useServices } from '../../app/services.js'
import { previewWords } from '../../live/previewWords.js'
import { useProject } from '../../store/context.js'
import { Select } from '../../ui/Select.js'
import { SeverityMark } from '../../ui/SeverityMark.js'
import { encodeField, usualFields } from './encodeField.js'
import { FieldInput } from './FieldInput.js'
import { RecordTime, type TimeChoice, useChosenTime } from './RecordTime.js'
import { SentLine } from './SentLine.js'
import { sourceOfTopic } from './topicRoles.js'
import { usePreview } from './usePreview.js'
import { useProduce, type Written } from './useProduce.js'
import { jumpWords } from './usualTime.js'

/** Adds one record to a topic: key and value as text, JSON, a long or raw bytes, and any timestamp. */
export function ProduceForm(props: {
  readonly topic: WireTopic
  /** Greatest timestamp among its records on the page; −1 when there is none. */
  readonly newestRead: number
  readonly onSent: (at: Written) => void
}) {
  const { topic, newestRead, onSent } = props
  const { clock } = useServices()
  const document = useProject((state) => state.workspace.document)
  const usual = useMemo(() => usualFields(document, topic.topic), [document, topic.topic])
  const [keyField, setKey] = useState(usual.key)
  const [valueField, setValue] = useState(usual.value)
  const [partition, setPartition] = useState('-1')
  const [choice, setChoice] = useState<TimeChoice>('usual')
  const time = useChosenTime(choice, topic.topic, newestRead)
  const [sent, send] = useProduce()
  const key = encodeField(keyField)
  const value = encodeField(valueField)
  const ready = key.ok && value.ok && time.at !== null && sent.state !== 'sending'
  return (
    <form
      className="produce-form"
      aria-label={`Produce to ${topic.topic}`}
      onSubmit={(event) => {
        event.preventDefault()
        if (!key.ok || !value.ok || time.at === null) return
        const timestamp = time.moves ? clock.now() : time.at
        const record = { topic: topic.topic, partition: Number(partition), key: key.hex, value: value.hex, timestamp }
        void send(record).then((at) => at && onSent(at))
      }}
    >
      <div className="produce-head">
        <h3>
          A test record <span className="ink-3">to {topic.topic}</span>
        </h3>
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
      <FieldInput label="Key" field={keyField} onChange={setKey} />
      <FieldInput label="Value" field={valueField} onChange={setValue} rows={2} />
      <RecordTime choice={choice} time={time} onChoose={setChoice} />
      <div className="produce-foot">
        <WhatItDoes
          source={sourceOfTopic(document, topic.topic)?.name ?? null}
          at={time.at}
          of={typeof choice === 'object' ? choice.typed : choice}
          jump={time.at === null ? null : jumpWords(time.at, time.usual)}
        />
        <button type="submit" className="button primary wide" disabled={!ready}>
          Produce
        </button>
        <SentLine sent={sent} idle="" />
      </div>
    </form>
  )
}

/** Before it is sent: what the record would take from the engine that runs. Nothing while it takes nothing. */
function WhatItDoes(props: {
  readonly source: string | null
  readonly at: number | null
  /** Which time that is: another one is asked about at once, one that goes with a clock now and then. */
  readonly of: string
  readonly jump: string | null
}) {
  const { source, at, of, jump } = props
  const preview = usePreview(source, at, of)
  // Of a topic that nothing reads, no time does anything.
  const words = source === null ? [] : [...(preview ? previewWords(preview) : []), ...(jump === null ? [] : [jump])]
  return (
    <div aria-live="polite">
      {words.length > 0 && (
        <p className="produce-warning">
          <SeverityMark severity="warn" /> <span>{words.join(' ')}</span>
        </p>
      )}
    </div>
  )
}
