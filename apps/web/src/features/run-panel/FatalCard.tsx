import type { WireError } from '@lanescope/shared'
import { useLive } from '../../live/LiveProvider.js'
import { documentName } from '../../live/LiveStore.js'
import { useOpenByteProof } from '../../live/useOpenByteProof.js'
import { SeverityMark } from '../../ui/SeverityMark.js'
import { CreateTopics } from './CreateTopics.js'
import { HexRows } from './HexBytes.js'

/** What stopped the run: for a proven split the key, both byte strings, their lanes, and the way to the fix. */
export function FatalCard({ error }: { readonly error: WireError }) {
  const openByteProof = useOpenByteProof()
  const names = useLive((state) => state.names)
  const { split } = error
  const at = split?.node ?? error.context.node
  const node = typeof at === 'string' ? (names ? documentName(names, at) : at) : null
  return (
    <section className="fatal-card" role="alert" aria-label="The run stopped">
      <h3>
        <SeverityMark severity="error" />
        {split ? `Proven split of ${split.key}` : error.code}
      </h3>
      {split && <p className="mono fatal-class">TimerLaneAffinityException{node ? ` at ${node}` : ''}</p>}
      {!split && node && <p className="mono fatal-class">at {node}</p>}
      {split && (
        <HexRows
          rows={[
            { label: 'Record', bytes: split.recordBytes, lane: split.recordLane, kind: 'flow' },
            { label: 'Timer', bytes: split.timerBytes, lane: split.timerLane, kind: 'timer' },
          ]}
        />
      )}
      <p className="fatal-message">{error.message}</p>
      <CreateTopics error={error} />
      {split && (
        <button type="button" className="button primary small" onClick={() => openByteProof(split)}>
          Open byte proof and fix
        </button>
      )}
    </section>
  )
}
