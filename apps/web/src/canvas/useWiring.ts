import { type Connection, type Edge, type FinalConnectionState, type OnConnectStart, useReactFlow } from '@xyflow/react'
import { useMemo, useState } from 'react'
import type { Offer } from '../features/palette/AddMenu.js'
import { connectNodes } from '../model/commands/connectNodes.js'
import { disconnect, reconnect } from '../model/commands/edges.js'
import { connectRefusal, wireTargets } from '../model/connectRules.js'
import { NODE_HEIGHT, NODE_WIDTH } from '../model/layout.js'
import { withDocument } from '../model/Workspace.js'
import { useStores } from '../store/context.js'
import type { Wire } from './wire.js'

/** Drawing and moving wires: what may end where, and what is said when it may not. */
export function useWiring(onOffer: (offer: Offer) => void) {
  const { project, notice } = useStores()
  const { screenToFlowPosition } = useReactFlow()
  const [wire, setWire] = useState<Wire | null>(null)

  const handlers = useMemo(() => {
    const document = () => project.getState().workspace.document
    const onConnectStart: OnConnectStart = (_event, { nodeId, handleType }) => {
      if (nodeId === null) return
      const direction = handleType === 'source' ? 'forward' : 'backward'
      setWire({ start: nodeId, direction, targets: wireTargets(document(), nodeId, direction) })
    }
    const onConnectEnd = (event: MouseEvent | TouchEvent, state: FinalConnectionState) => {
      setWire(null)
      const from = state.fromNode?.id
      if (from === undefined || state.isValid) return
      const forward = state.fromHandle?.type === 'source'
      const over = state.toNode?.id ?? nodeUnder(event)
      if (over !== undefined && over !== from) {
        const [start, end] = forward ? [from, over] : [over, from]
        const refusal = connectRefusal(document(), start, end)
        if (refusal !== undefined) notice.getState().say(refusal, 'caution')
        else project.getState().edit('Connect', (at) => connectNodes(at, start, end))
        return
      }
      if (over === from) return
      const at = pointOf(event)
      const point = screenToFlowPosition(at)
      const position = { x: forward ? point.x : point.x - NODE_WIDTH, y: point.y - NODE_HEIGHT / 2 }
      onOffer({ at, goal: { to: forward ? 'after' : 'before', node: from, position } })
    }
    return {
      onConnectStart,
      onConnectEnd,
      onConnect: ({ source, target }: Connection) =>
        project.getState().edit('Connect', (at) => connectNodes(at, source, target)),
      isValidConnection: ({ source, target }: Connection | Edge) =>
        connectRefusal(document(), source, target) === undefined,
      onReconnect: (edge: Edge, to: Connection) =>
        project
          .getState()
          .edit('Reconnect', (at) => withDocument(at, (next) => reconnect(next, edge.id, to.source, to.target))),
      onReconnectEnd: (_event: unknown, edge: Edge, _type: unknown, state: FinalConnectionState) => {
        setWire(null)
        if (state.isValid !== null) return
        project.getState().edit('Disconnect', (at) => withDocument(at, (next) => disconnect(next, [edge.id])))
      },
    }
  }, [project, notice, onOffer, screenToFlowPosition])

  return { wire, handlers }
}

function pointOf(event: MouseEvent | TouchEvent): { x: number; y: number } {
  const touch = 'changedTouches' in event ? event.changedTouches[0] : event
  return { x: touch?.clientX ?? 0, y: touch?.clientY ?? 0 }
}

/** The node that lies below the pointer: a wire may be dropped on its body, too. */
function nodeUnder(event: MouseEvent | TouchEvent): string | undefined {
  const { x, y } = pointOf(event)
  const element = globalThis.document.elementFromPoint(x, y)?.closest('.react-flow__node')
  return element?.getAttribute('data-id') ?? undefined
}
