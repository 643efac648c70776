import { formatCount, formatOf } from '../../live/formatNumber.js'
import { formatBound } from '../../live/formatTime.js'
import type { SegmentBox } from './segmentStrip.js'

const STATE_WORDS: { readonly [state in SegmentBox['state']]: string } = {
  filling: 'filling',
  live: 'live',
  next: 'next to expire',
  expired: 'expired',
}

export function stateWords(box: SegmentBox): string {
  return STATE_WORDS[box.state]
}

/** The segment for a screen reader: "per-day segment 2026-11-01 to 2026-11-16, live, 120 entries". */
export function segmentLabel(store: string, box: SegmentBox): string {
  const length = box.to - box.from
  const held =
    box.state === 'expired'
      ? `held ${formatOf(box.entries, 'entry', 'entries')}`
      : formatOf(box.entries, 'entry', 'entries')
  const by = box.expiry?.causedBy
  const cause = by ? `, expired by ${by.topic}-${by.partition} @ ${formatCount(by.offset)}` : ''
  const taken = box.taken ? ', would expire' : ''
  return `${store} segment ${formatBound(box.from, length)} to ${formatBound(box.to, length)}, ${stateWords(box)}, ${held}${cause}${taken}`
}

/** How wide a character of the map's words is, in pixels. */
const CHARACTER = 7

/** What of a text fits into a segment: all of it, a date without its year, or nothing. */
export function fitting(text: string, room: number): string | undefined {
  const short = text.replace(/^\d{4}-/, '')
  return [text, short].find((one) => one.length * CHARACTER <= room)
}

/** Coordinates as everywhere on the page: `orders-0 @ 512`. */
export function coordinatesText(at: {
  readonly topic: string
  readonly partition: number
  readonly offset: number
}): string {
  return `${at.topic}-${at.partition} @ ${formatCount(at.offset)}`
}
