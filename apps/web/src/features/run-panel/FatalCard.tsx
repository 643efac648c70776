import type { WireError } from '@lanescope/shared'
import { useServices } from '../../app/services.js'
import { errorTitle, handlerOf } from '../../live/errorTitles.js'
import { useLive } from '../../live/LiveProvider.js'
import { documentName } from '../../live/LiveStore.js'
import { useOpenByteProof } from '../../live/useOpenByteProof.js'
import { editConfig } from '../../model/commands/files.js'
import { useProject, useRun, useStores } from '../../store/context.js'
import { SeverityMark } from '../../ui/SeverityMark.js'
import { CreateTopics } from './CreateTopics.js'
import { ErrorStack, OpenPlace } from './ErrorPlace.js'
import { HexRows } from './HexBytes.js'
import { placeOf } from './placeOf.js'

/** What stopped the run: for a proven split the key, both byte strings, their lanes; and every way to go on. */
export function FatalCard({ error }: { readonly error: WireError }) {
  const openByteProof = useOpenByteProof()
  const names = useLive((state) => state.names)
  const { split } = error
  const at = split?.node ?? error.context.node
  const node = typeof at === 'string' ? (names ? documentName(names, at) : at) : null
  const place = placeOf(error)
  return (
    <section className="fatal-card" role="alert" aria-label="The run stopped">
      <h3>
        <SeverityMark severity="error" />
        {split ? `Proven split of ${split.key}` : errorTitle(error.code)}
      </h3>
      {split && <p className="mono fatal-class">TimerLaneAffinityException{node ? ` at ${node}` : ''}</p>}
      {!split && (node || place) && (
        <p className="mono fatal-class">
          {[...(node ? [`at ${node}`] : []), ...(place ? [`src/${place.file}:${place.line}`] : [])].join(', ')}
        </p>
      )}
      {split && (
        <HexRows
          rows={[
            { label: 'Record', bytes: split.recordBytes, lane: split.recordLane, kind: 'flow' },
            { label: 'Timer', bytes: split.timerBytes, lane: split.timerLane, kind: 'timer' },
          ]}
        />
      )}
      <p className="fatal-message">{error.message}</p>
      {!split && <ErrorStack error={error} />}
      <CreateTopics error={error} />
      {split && (
        <button type="button" className="button primary small" onClick={() => openByteProof(split)}>
          Open byte proof and fix
        </button>
      )}
      <OpenPlace error={error} primary={!split} />
      {!split && <WaysOn error={error} />}
      <p className="mono fatal-code ink-3">{error.code}</p>
    </section>
  )
}

/** For one bad record that would stop every run after this one too: leave such records out, or begin again. */
function WaysOn({ error }: { readonly error: WireError }) {
  const { project } = useStores()
  const { run } = useServices()
  const handler = handlerOf(error.code)
  const skips = useProject((state) => handler !== null && state.workspace.config[handler] === 'continue')
  const over = useRun((state) => state.run !== null && state.run.endedAt !== null)
  if (!over) return null
  const skip = () => {
    if (handler === null) return
    project.getState().edit('Skip such records', (workspace) => editConfig(workspace, handler, 'continue'))
  }
  return (
    <>
      {skips && <p className="fatal-message">Such records are skipped from the next run on, counted and logged.</p>}
      <div className="card-buttons">
        {handler !== null && !skips && (
          <button type="button" className="button lined small" title={`Sets ${handler} to continue`} onClick={skip}>
            Skip such records
          </button>
        )}
        <button type="button" className="button lined small" onClick={() => void run.start({}, true)}>
          Run from the beginning
        </button>
      </div>
    </>
  )
}
