import type { ByteProof } from '@lanescope/core'
import { byteWindow } from '../../model/byteProof.js'
import { trackPath } from '../../model/track.js'

/** Width of the drawing; it scales with the panel. */
export const WIDTH = 304
const CELLS_FROM = 61
const CELLS_TO = 209
const FEWEST_CELLS = 4
const MOST_CELLS = 6
export const CELL_HEIGHT = 27
export const RECORD_TOP = 20
export const TIMER_TOP = 79
export const TAG = { x: 245, width: 59 }
export const STRIP_TOP = 150
export const STRIP_HEIGHT = 22
/** Above this many, only the two lanes that matter are numbered. */
const MOST_NUMBERS = 16

export interface CellBox {
  readonly index: number
  readonly x: number
  readonly width: number
}

/** The cells of both rows: the same window of both keys, at least four, at most six. */
export function cellBoxes(proof: ByteProof): {
  readonly cells: readonly CellBox[]
  readonly cut: 'none' | 'left' | 'right' | 'both'
} {
  const length = Math.max(proof.recordBytes.length, proof.timerBytes.length)
  const { from, to } = byteWindow(proof, MOST_CELLS)
  const count = Math.max(FEWEST_CELLS, to - from)
  const pitch = Math.min(37, (CELLS_TO - CELLS_FROM) / count)
  const cells = Array.from({ length: count }, (_, i) => ({
    index: from + i,
    x: CELLS_FROM + i * pitch,
    width: pitch - 3,
  }))
  const left = from > 0
  const right = to < length
  return { cells, cut: left && right ? 'both' : left ? 'left' : right ? 'right' : 'none' }
}

export interface LaneBox {
  readonly lane: number
  readonly x: number
  readonly width: number
  readonly numbered: boolean
}

/** The strip: every lane, however many. */
export function laneBoxes(proof: ByteProof): readonly LaneBox[] {
  const { laneCount, recordLane, timerLane } = proof
  const pitch = WIDTH / laneCount
  const gap = laneCount > MOST_NUMBERS ? 1 : 3
  return Array.from({ length: laneCount }, (_, lane) => ({
    lane,
    x: lane * pitch,
    width: Math.max(1, pitch - gap),
    numbered: laneCount <= MOST_NUMBERS || ((lane === recordLane || lane === timerLane) && pitch > 12),
  }))
}

/** Tracks from both lane tags to their cells on the strip. */
export function proofTracks(proof: ByteProof): { readonly record: string; readonly timer: string } {
  const boxes = laneBoxes(proof)
  const middle = (lane: number) => {
    const box = boxes[lane]
    return box ? box.x + box.width / 2 : 0
  }
  const apart = proof.recordLane === proof.timerLane ? 3 : 0
  const recordX = middle(proof.recordLane) - apart
  const timerX = middle(proof.timerLane) + apart
  const right = WIDTH + 6
  const recordY = RECORD_TOP + CELL_HEIGHT / 2
  const start = TAG.x + TAG.width / 2
  const record = trackPath(
    [
      { x: WIDTH, y: recordY },
      { x: right, y: recordY },
      { x: right, y: 138 },
      { x: recordX, y: 138 },
      { x: recordX, y: STRIP_TOP },
    ],
    8,
  )
  const timer = trackPath(
    [
      { x: start, y: TIMER_TOP + CELL_HEIGHT },
      { x: start, y: 126 },
      { x: timerX, y: 126 },
      { x: timerX, y: STRIP_TOP },
    ],
    8,
  )
  return { record, timer }
}

export interface Caption {
  readonly text: string
  readonly tone: 'flow' | 'timer' | 'plain'
  readonly x: number
  readonly line: 0 | 1
  readonly anchor: 'start' | 'middle' | 'end'
}

/** Words below the strip: what runs on which lane, and what follows from it. */
export function captions(proof: ByteProof): readonly Caption[] {
  if (proof.verdict === 'same-bytes')
    return [
      { text: 'process and onTimer take turns, at any lane count', tone: 'plain', x: 0, line: 0, anchor: 'start' },
    ]
  if (proof.verdict === 'agrees-by-luck')
    return [{ text: `take turns by luck, at ${proof.laneCount} lanes`, tone: 'plain', x: 0, line: 0, anchor: 'start' }]
  const boxes = laneBoxes(proof)
  const place = (lane: number) => {
    const box = boxes[lane]
    return Math.max(20, Math.min(WIDTH - 21, box ? box.x + box.width / 2 : 0))
  }
  const [record, timer] = [place(proof.recordLane), place(proof.timerLane)]
  const gap = Math.abs(record - timer)
  const close = gap < 52
  const between = gap > 180
  const both = 'may run at the same time'
  const list: Caption[] = [
    { text: 'process', tone: 'flow', x: record, line: 0, anchor: 'middle' },
    { text: 'onTimer', tone: 'timer', x: timer, line: close ? 1 : 0, anchor: 'middle' },
  ]
  if (between) list.push({ text: both, tone: 'plain', x: (record + timer) / 2, line: 0, anchor: 'middle' })
  else {
    const right = Math.max(record, timer)
    const onRight = right < WIDTH - 160
    list.push({ text: both, tone: 'plain', x: onRight ? WIDTH : 0, line: 0, anchor: onRight ? 'end' : 'start' })
    if (!onRight && Math.min(record, timer) < 160)
      list[list.length - 1] = { text: both, tone: 'plain', x: WIDTH / 2, line: 1, anchor: 'middle' }
  }
  return list
}
