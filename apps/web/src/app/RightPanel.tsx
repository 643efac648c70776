import { FindingPanel } from '../features/findings/FindingPanel.js'
import { ConfigPanel } from '../features/inspector/ConfigPanel.js'
import { NodePanel } from '../features/inspector/NodePanel.js'
import { RunPanel } from '../features/run-panel/index.js'
import { nodeById } from '../model/queries.js'
import { useProject, useView } from '../store/context.js'

/** The right side: the selected finding or node; in Live what the run says of the node, or of itself. */
export function RightPanel() {
  const panel = useView((state) => state.panel)
  const live = useView((state) => state.mode === 'live')
  const id = useView((state) => state.selection[0])
  const known = useProject((state) => id !== undefined && nodeById(state.workspace.document, id) !== undefined)
  const body = bodyOf(panel, live, known)
  return body === null ? null : <aside className="app-right">{body}</aside>
}

function bodyOf(panel: string | null, live: boolean, known: boolean) {
  if (panel === 'finding') return <FindingPanel />
  if (panel === 'config') return <ConfigPanel />
  if (live) return <RunPanel />
  return panel === 'node' && known ? <NodePanel /> : null
}
