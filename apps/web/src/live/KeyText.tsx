import { formatBound, formatDateTime, formatSpan } from './formatTime.js'
import { shorten } from './shorten.js'
import { windowedKey } from './windowedKey.js'

/** A key as the page writes it: of one in a window the key, then when the window starts and how long it is. */
export function KeyText(props: { readonly text: string; readonly most: number }) {
  const parts = windowedKey(props.text)
  if (parts === undefined) return shorten(props.text, props.most)
  const length = parts.end - parts.start
  return (
    <>
      {shorten(parts.key, props.most)}{' '}
      <span className="segment" title={`${formatDateTime(parts.start, 'ms')} to ${formatDateTime(parts.end, 'ms')}`}>
        {formatBound(parts.start, length)} +{formatSpan(length)}
      </span>
    </>
  )
}
