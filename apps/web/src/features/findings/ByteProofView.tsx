import type { ByteProof } from '@lanescope/core'
import { asciiOf, hashHex, spacedHex } from '../../model/byteProof.js'
import {
  CELL_HEIGHT,
  type CellBox,
  captions,
  cellBoxes,
  laneBoxes,
  proofTracks,
  RECORD_TOP,
  STRIP_HEIGHT,
  STRIP_TOP,
  TAG,
  TIMER_TOP,
  WIDTH,
} from './proofLayout.js'
import './byte-proof.css'

const VERDICTS: { readonly [verdict in ByteProof['verdict']]: string } = {
  split: 'on different lanes',
  'agrees-by-luck': 'on one lane by luck',
  'same-bytes': 'on one lane',
}

/** The proof in words, for who does not see it. */
function inWords(proof: ByteProof): string {
  const difference =
    proof.firstDifference === -1 ? 'no difference' : `first difference at byte ${proof.firstDifference}`
  const record = `record bytes ${spacedHex(proof.recordBytes)} on lane ${proof.recordLane}`
  const timer = `timer bytes ${spacedHex(proof.timerBytes)} on lane ${proof.timerLane}`
  return `Byte proof of ${proof.key} at ${proof.laneCount} lanes: ${record}, ${timer}, ${difference}, ${VERDICTS[proof.verdict]}`
}

/** Record above timer: index, hex, character, the first difference, hash, lane, and both tracks to the strip. */
export function ByteProofView(props: {
  readonly proof: ByteProof
  readonly recordLabel: string
  readonly timerLabel: string
}) {
  const { proof } = props
  const { cells, cut } = cellBoxes(proof)
  const tracks = proofTracks(proof)
  const texts = captions(proof)
  const lines = texts.some((text) => text.line === 1) ? 1 : 0
  const marked = cells.find((cell) => cell.index === proof.firstDifference)
  return (
    <svg
      className={`byte-proof ${proof.verdict}`}
      viewBox={`0 0 ${WIDTH} ${192 + lines * 14}`}
      role="img"
      aria-label={inWords(proof)}
    >
      {cells.map((cell) => (
        <text key={cell.index} className="index" x={cell.x + cell.width / 2} y="12">
          {cell.index}
        </text>
      ))}
      {cut !== 'none' && (
        <text className="cut" x="56" y="12" textAnchor="end">
          {Math.max(proof.recordBytes.length, proof.timerBytes.length)} bytes
        </text>
      )}
      <Row
        name="Record"
        label={props.recordLabel}
        side="record"
        top={RECORD_TOP}
        bytes={proof.recordBytes}
        cells={cells}
        marked={marked}
      />
      <Row
        name="Timer"
        label={props.timerLabel}
        side="timer"
        top={TIMER_TOP}
        bytes={proof.timerBytes}
        cells={cells}
        marked={marked}
      />
      {marked && (
        <g className="difference">
          <path className="stem" d={`M${marked.x + marked.width / 2} ${RECORD_TOP + CELL_HEIGHT + 13}V${TIMER_TOP}`} />
          <circle cx={marked.x + marked.width / 2} cy="70" r="7" />
          <path className="sign" d={signAt(marked.x + marked.width / 2, 70)} />
          <text x={marked.x + marked.width / 2 + 14} y="74">
            first difference: byte {proof.firstDifference}
          </text>
        </g>
      )}
      <LaneTag side="record" top={RECORD_TOP} lane={proof.recordLane} hash={proof.recordHash} />
      <LaneTag side="timer" top={TIMER_TOP} lane={proof.timerLane} hash={proof.timerHash} />
      <path className="track-gap" d={tracks.record} />
      <path className="record-track" d={tracks.record} />
      <path className="track-gap" d={tracks.timer} />
      <path className="timer-track" d={tracks.timer} />
      <Strip proof={proof} />
      {texts.map((text) => (
        <text
          key={text.text}
          className={`caption ${text.tone}`}
          x={text.x}
          y={186 + text.line * 14}
          textAnchor={text.anchor}
        >
          {text.text}
        </text>
      ))}
    </svg>
  )
}

function Row(props: {
  readonly name: string
  readonly label: string
  readonly side: 'record' | 'timer'
  readonly top: number
  readonly bytes: Uint8Array
  readonly cells: readonly CellBox[]
  readonly marked: CellBox | undefined
}) {
  const { name, label, side, top, bytes, cells, marked } = props
  return (
    <g className={side}>
      <text className="name" x="0" y={top + 13}>
        {name}
      </text>
      <text className="how" x="0" y={top + 26}>
        {label}
      </text>
      {cells.map((cell) => {
        const byte = bytes[cell.index]
        const empty = byte === undefined
        const className = `cell${empty ? ' empty' : ''}${cell === marked && !empty ? ' differs' : ''}`
        return (
          <g key={cell.index} className={className}>
            <rect x={cell.x + 0.5} y={top + 0.5} width={cell.width - 1} height={CELL_HEIGHT - 1} rx="2" />
            {!empty && (
              <>
                <text className="hex" x={cell.x + cell.width / 2} y={top + 18}>
                  {byte.toString(16).padStart(2, '0')}
                </text>
                <text className="char" x={cell.x + cell.width / 2} y={top + CELL_HEIGHT + 11}>
                  {asciiOf(byte)}
                </text>
              </>
            )}
          </g>
        )
      })}
      <path className="arrow" d={`M210 ${top + 13.5}H242M237.5 ${top + 9.5}L242 ${top + 13.5}L237.5 ${top + 17.5}`} />
    </g>
  )
}

function LaneTag(props: {
  readonly side: 'record' | 'timer'
  readonly top: number
  readonly lane: number
  readonly hash: number
}) {
  const { side, top, lane, hash } = props
  return (
    <g className={`tag ${side}`}>
      <rect x={TAG.x + 0.5} y={top + 0.5} width={TAG.width - 1} height={CELL_HEIGHT - 1} rx="2.5" />
      <text x={TAG.x + TAG.width / 2} y={top + 18}>
        lane {lane}
      </text>
      <text className="hash" x={TAG.x - 9} y={top + CELL_HEIGHT + 11}>
        {hashHex(hash)}
      </text>
    </g>
  )
}

function Strip(props: { readonly proof: ByteProof }) {
  const { proof } = props
  return (
    <g className="strip">
      {laneBoxes(proof).map((box) => {
        const record = box.lane === proof.recordLane
        const timer = box.lane === proof.timerLane
        const className = record && timer ? 'both' : record ? 'record' : timer ? 'timer' : ''
        const [x, y] = [box.x + 0.5, STRIP_TOP + 0.5]
        return (
          <g key={box.lane} className={className}>
            <rect x={x} y={y} width={Math.max(0.5, box.width - 1)} height={STRIP_HEIGHT - 1} rx="2" />
            {record && timer && (
              <rect
                className="half"
                x={x + box.width / 2}
                y={y}
                width={box.width / 2 - 1}
                height={STRIP_HEIGHT - 1}
                rx="2"
              />
            )}
            {box.numbered && (
              <text x={box.x + box.width / 2} y={STRIP_TOP + 15}>
                {box.lane}
              </text>
            )}
          </g>
        )
      })}
    </g>
  )
}

/** A "not equal" in a disc. */
const signAt = (x: number, y: number): string =>
  `M${x - 3} ${y - 1.4}H${x + 3}M${x - 3} ${y + 1.6}H${x + 3}M${x - 1.7} ${y + 3.6}L${x + 1.7} ${y - 3.6}`
