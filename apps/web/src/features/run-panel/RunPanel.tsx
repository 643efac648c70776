import { useMemo } from 'react'
import { useLive } from '../../live/LiveProvider.js'
import { kindFacts, longLabel, paletteKindOf, toneOf } from '../../model/nodeKinds.js'
import { useProject, useStores, useView } from '../../store/context.js'
import { Glyph } from '../../ui/Glyph.js'
import { FatalCard } from './FatalCard.js'
import { NodeFiguresPanel } from './NodeFiguresPanel.js'
import { RunNotes } from './RunNotes.js'
import { RunSummaryPanel } from './RunSummaryPanel.js'
import { SamplingNote } from './SamplingNote.js'
import { useFatal } from './useFatal.js'
import './run-panel.css'

/** On the right in Live mode, for the selected node or else for the run. */
export function RunPanel() {
  const { view } = useStores()
  const nodes = useProject((state) => state.workspace.document.nodes)
  const selected = useView((state) => state.selection[0])
  const node = useMemo(() => nodes.find((one) => one.id === selected), [nodes, selected])
  const fatal = useFatal()
  const moving = useLive((state) => state.freshness.state === 'live') ?? false
  const facts = node && kindFacts(paletteKindOf(node))
  return (
    <section className="run-panel" aria-label={node ? `${node.name}, live` : 'Run'}>
      <header>
        <Glyph name={facts?.glyph ?? 'play'} className={(node && toneOf(node)) ?? ''} />
        <h2>{node?.name ?? 'Run'}</h2>
        <span className="ink-3">{facts ? longLabel(facts).toLowerCase() : 'this run'}</span>
        <span className="spring" />
        {node && (
          <button
            type="button"
            className="icon-button small"
            aria-label="Close the panel"
            onClick={() => view.getState().selectNodes([])}
          >
            <Glyph name="close" />
          </button>
        )}
      </header>
      <div className="run-panel-body">
        {fatal && <FatalCard error={fatal} />}
        <RunNotes />
        <div className={moving ? 'run-panel-figures' : 'run-panel-figures live-old'}>
          {node ? <NodeFiguresPanel name={node.name} /> : <RunSummaryPanel />}
        </div>
      </div>
      <SamplingNote />
    </section>
  )
}
