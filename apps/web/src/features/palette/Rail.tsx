import { useView } from '../../store/context.js'
import { Glyph, type GlyphName } from '../../ui/Glyph.js'
import { useCommands } from '../commands/useCommands.js'
import './rail.css'

const ACTS: readonly (readonly [command: string, label: string, glyph: GlyphName])[] = [
  ['add', 'Add a node', 'plus'],
  ['search', 'Search', 'search'],
  ['tab-code', 'Code', 'code'],
  ['config', 'Engine settings', 'gear'],
]

/** The left side in Live mode: the picture gets the room. */
export function Rail() {
  const commands = useCommands()
  const tab = useView((state) => (state.drawerOpen ? state.tab : null))
  return (
    <aside className="rail" aria-label="Tools">
      {ACTS.map(([id, label, glyph]) => (
        <button
          key={id}
          type="button"
          className="icon-button"
          aria-label={label}
          title={label}
          aria-pressed={id === 'tab-code' ? tab === 'code' : undefined}
          onClick={() => commands.run(id)}
        >
          <Glyph name={glyph} />
        </button>
      ))}
    </aside>
  )
}
