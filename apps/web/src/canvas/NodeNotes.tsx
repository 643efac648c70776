import type { NodeLive } from '../live/overlay.js'
import { STORE_HEIGHT } from '../model/layout.js'
import { useStores } from '../store/context.js'
import { CodeWords } from '../ui/CodeWords.js'
import { Glyph } from '../ui/Glyph.js'
import { PlaceNumber } from '../ui/PlaceNumber.js'
import type { NodeFacts } from './flowModel.js'

/** Words around a node: the finding's numbered place above it, the lanes of the proven key beside it. */
export function NodeNotes(props: {
  readonly facts: NodeFacts
  readonly beside: string | undefined
  readonly error: string | undefined
  readonly drops: NodeLive['drops']
  readonly live: boolean
}) {
  const { facts, beside, error, drops, live } = props
  const { place, proof } = facts
  return (
    <>
      {place && (
        <div className="node-place">
          <PlaceNumber n={place.n} />
          <p>
            <CodeWords text={place.title} />
            <small>
              <CodeWords text={place.detail} />
            </small>
          </p>
        </div>
      )}
      {proof && !live && (
        <ul className="node-lanes">
          {proof.recordLane === proof.timerLane ? (
            <li className="flow">
              <Glyph name={proof.verdict === 'same-bytes' ? 'check' : 'arrow'} size={12} />
              {proof.key} records and timers on <b>lane {proof.recordLane}</b>
              {proof.verdict === 'agrees-by-luck' && <span className="caution"> by luck</span>}
            </li>
          ) : (
            <>
              <li className="flow">
                <Glyph name="arrow" size={12} />
                {proof.key} records on <b>lane {proof.recordLane}</b>
              </li>
              <li className="timer">
                <Glyph name="timer" size={12} />
                {proof.key} timers on <b>lane {proof.timerLane}</b>
              </li>
            </>
          )}
        </ul>
      )}
      {live && (drops !== undefined || (error ?? beside) !== undefined) && (
        <div className="node-beside" style={{ top: BESIDE_TOP + roomOfStores(facts.stores) }}>
          {(error ?? beside) !== undefined && (
            <p className={error !== undefined ? 'danger' : 'caution'}>{error ?? beside}</p>
          )}
          {drops && <DropsMark drops={drops} node={facts.node.id} name={facts.node.name} />}
        </div>
      )}
    </>
  )
}

/** Shape and words as well as a colour; a click shows what was dropped. */
function DropsMark(props: {
  readonly drops: NonNullable<NodeLive['drops']>
  readonly node: string
  readonly name: string
}) {
  const { drops, node, name } = props
  const { view } = useStores()
  return (
    <button
      type="button"
      className={drops.most ? 'node-drops danger nodrag nopan' : 'node-drops caution nodrag nopan'}
      title={drops.title}
      aria-label={`${name} ${drops.text}. Show the dropped records`}
      onClick={(event) => {
        event.stopPropagation()
        view.getState().selectNodes([node])
        view.getState().setParam('log-node', name)
        view.getState().openTab('log')
      }}
    >
      <Glyph name="drops" size={12} />
      {drops.text}
    </button>
  )
}

/** Just below the edge that leaves the node. */
const BESIDE_TOP = 50

/** A store's tag that is wider than its node takes the place beside it: the words then stand below all tags. */
function roomOfStores(stores: NodeFacts['stores']): number {
  const isWide = stores.some(({ name, retentionMs }) => name.length + (retentionMs === undefined ? 0 : 7) > 15)
  return isWide ? stores.length * STORE_HEIGHT : 0
}
