import { useMemo } from 'react'
import { useLive } from '../../live/LiveProvider.js'
import { useProject, useStores, useView } from '../../store/context.js'
import { Glyph, type GlyphName } from '../../ui/Glyph.js'
import { FatalCard } from './FatalCard.js'
import { NodeFiguresPanel } from './NodeFiguresPanel.js'
import { RunNotes } from './RunNotes.js'
import { RunSummaryPanel } from './RunSummaryPanel.js'
import { SamplingNote } from './SamplingNote.js'
import { useFatal } from './useFatal.js'
import './run-panel.css'

const KINDS: { readonly [kind: string]: { readonly glyph: GlyphName; readonly words: string } } = {
  source: { glyph: 'source', words: 'source' },
  processor: { glyph: 'processor', words: 'processor' },
  timer: { glyph: 'timer', words: 'timer processor' },
  'windowed-count': { glyph: 'window', words: 'windowed count' },
  sink: { glyph: 'sink', words: 'sink' },
}

/** On the right in Live mode, for the selected node or else for the run. */
export function RunPanel() {
  const { view } = useStores()
  const nodes = useProject((state) => state.workspace.document.nodes)
  const selected = useView((state) => state.selection[0])
  const node = useMemo(() => nodes.find((one) => one.id === selected), [nodes, selected])
  const fatal = useFatal()
  const moving = useLive((state) => state.freshness.state === 'live') ?? false
  const kind = node?.kind === 'processor' && node.properties.timers.length > 0 ? 'timer' : (node?.kind ?? '')
  const { glyph, words } = KINDS[kind] ?? { glyph: 'play', words: 'this run' }
  return (
    <section className="run-panel" aria-label={node ? `${node.name}, live` : 'Run'}>
      <header>
        <Glyph name={glyph} className={kind === 'timer' ? 'timer' : kind === 'windowed-count' ? 'segment' : ''} />
        <h2>{node?.name ?? 'Run'}</h2>
        <span className="ink-3">{words}</span>
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
