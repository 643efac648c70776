import { formatCount } from '../../live/formatNumber.js'
import { formatDateTime } from '../../live/formatTime.js'
import type { Sent } from './useProduce.js'

/** Where the last record went, or why it did not. */
export function SentLine(props: { readonly sent: Sent; readonly idle: string }) {
  const { sent, idle } = props
  return (
    <p className={sent.state === 'refused' ? 'sent-line danger' : 'sent-line'} aria-live="polite">
      {sent.state === 'idle' && idle}
      {sent.state === 'sending' && 'Sending…'}
      {sent.state === 'refused' && sent.message}
      {sent.state === 'sent' && (
        <>
          Sent as{' '}
          <span className="mono">
            {sent.topic}-{sent.partition} @ {formatCount(sent.offset)}
          </span>
          , {formatDateTime(sent.timestamp)}.
        </>
      )}
    </p>
  )
}
