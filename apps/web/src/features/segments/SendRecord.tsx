import { useMemo, useState } from 'react'
import { formatDateTime } from '../../live/formatTime.js'
import { useProject } from '../../store/context.js'
import { encodeField, usualFields } from '../topics/encodeField.js'
import { FieldInput } from '../topics/FieldInput.js'
import { SentLine } from '../topics/SentLine.js'
import { useProduce } from '../topics/useProduce.js'

/** Sends the what-if's record for real: key and value as the topic usually has them, the time of the marker. */
export function SendRecord(props: {
  readonly source: string
  readonly timestamp: number
  /** A time that is typed and is none: what would be sent is not what stands there. */
  readonly held: boolean
}) {
  const { source, timestamp, held } = props
  const document = useProject((state) => state.workspace.document)
  const topic = useMemo(() => {
    const node = document.nodes.find((one) => one.kind === 'source' && one.name === source)
    return node?.kind === 'source' ? (node.properties.topics[0] ?? null) : null
  }, [document, source])
  const usual = useMemo(() => usualFields(document, topic ?? ''), [document, topic])
  const [typedKey, setKey] = useState(usual.key)
  const [typedValue, setValue] = useState(usual.value)
  const [sent, send] = useProduce()
  const key = encodeField(typedKey)
  const value = encodeField(typedValue)
  if (topic === null) return null
  return (
    <form
      className="what-if-send"
      aria-label="Send this record"
      onSubmit={(event) => {
        event.preventDefault()
        if (!held && key.ok && value.ok) void send({ topic, partition: -1, key: key.hex, value: value.hex, timestamp })
      }}
    >
      <h4>
        The record <span className="ink-3">to {topic}</span>
      </h4>
      <FieldInput label="Key" field={typedKey} onChange={setKey} />
      <FieldInput label="Value" field={typedValue} onChange={setValue} />
      <button
        type="submit"
        className="button primary wide"
        disabled={held || !key.ok || !value.ok || sent.state === 'sending'}
      >
        Send it for real
      </button>
      <SentLine
        sent={sent}
        idle={held ? 'The timestamp above is no time.' : `Appends to ${topic} at ${formatDateTime(timestamp)}.`}
      />
    </form>
  )
}
