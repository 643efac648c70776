import type { ConnectionLineComponentProps } from '@xyflow/react'
import { trackPath, trackPoints } from '../model/track.js'

/** The wire in hand: a track like the edge it will be. */
export function WirePreview(props: ConnectionLineComponentProps) {
  const { fromX, fromY, toX, toY, connectionStatus, fromHandle } = props
  const ends: [{ x: number; y: number }, { x: number; y: number }] = [
    { x: fromX, y: fromY },
    { x: toX, y: toY },
  ]
  if (fromHandle.type === 'target') ends.reverse()
  const status = connectionStatus === 'valid' ? 'valid' : connectionStatus === 'invalid' ? 'refused' : ''
  return <path className={`wire ${status}`} d={trackPath(trackPoints(...ends))} />
}
