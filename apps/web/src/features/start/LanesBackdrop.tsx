import { useEffect, useRef, useState } from 'react'
import { spacedHex } from '../../model/byteProof.js'
import { SHOWN_KEY, SHOWN_LANES, splitOf } from '../../model/lanes.js'
import { trackPath } from '../../model/track.js'

const FIRST = 84
/** Where records stand on their lane, as shares of the width; the timer leaves after the fourth. */
const RECORDS = [0.073, 0.186, 0.237, 0.426, 0.64, 0.857]
const LEAVES = 3

/** Eight lanes. Records of the key stay on one; its timer switches to another. Both lanes are computed. */
export function LanesBackdrop() {
  const box = useRef<SVGSVGElement>(null)
  const [size, setSize] = useState({ width: 1268, height: 822 })
  useEffect(() => {
    const element = box.current
    if (!element) return
    const observer = new ResizeObserver(() => setSize({ width: element.clientWidth, height: element.clientHeight }))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  const { width, height } = size
  const pitch = Math.max(48, Math.min(92, (height - FIRST - 60) / (SHOWN_LANES - 1)))
  const y = (lane: number) => FIRST + lane * pitch
  const { recordBytes, timerBytes, recordLane, timerLane } = splitOf(SHOWN_KEY, SHOWN_LANES)
  const [from, to] = [y(recordLane), y(timerLane)]
  const away = Math.sign(to - from)
  const leaveX = width * (RECORDS[LEAVES] ?? 0.5) + 9
  const arriveX = leaveX - 6 + Math.abs(to - from)
  const switchPath = trackPath(
    [
      { x: leaveX, y: from + 6 * away },
      { x: arriveX, y: to },
      { x: width, y: to },
    ],
    14,
  )
  const captionX = width * (RECORDS[LEAVES + 1] ?? 0.64)
  const fireX = arriveX + 46
  return (
    <svg ref={box} className="lanes-backdrop" aria-hidden="true">
      {Array.from({ length: SHOWN_LANES }, (_, lane) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a lane is its index
        <g key={lane}>
          <path className="lane" d={`M0 ${y(lane)}H${width}`} />
          <text className="lane-number" x="14" y={y(lane) - 7}>
            {lane}
          </text>
        </g>
      ))}
      <path className="flow-track" d={`M0 ${from}H${width}`} />
      {RECORDS.map((share) => (
        <rect key={share} className="record" x={width * share - 9} y={from - 5} width="18" height="10" rx="2" />
      ))}
      <path className="timer-gap" d={switchPath} />
      <path className="timer-track" d={switchPath} />
      <path className="fire" d={`M${fireX} ${to - 7}l7 7-7 7-7-7z`} />
      <text className="bytes flow-text" x={captionX} y={from - 13}>
        {spacedHex(recordBytes)}
      </text>
      <text className="caption" x={captionX} y={from + 24}>
        Records of <tspan className="key">{SHOWN_KEY}</tspan> stay on{' '}
        <tspan className="strong-flow">lane {recordLane}</tspan>
      </text>
      <text className="caption end" x={arriveX - 36} y={to - 12}>
        Its timer fires on <tspan className="strong-timer">lane {timerLane}</tspan>
      </text>
      <text className="bytes timer-text" x={fireX} y={to + 24}>
        {spacedHex(timerBytes)}
      </text>
    </svg>
  )
}
