import { useProject, useView } from '../../store/context.js'
import type { Mode } from '../../store/viewStore.js'
import { Glyph } from '../../ui/Glyph.js'
import { Logo } from '../../ui/Logo.js'
import { useCommands } from '../commands/useCommands.js'
import { RunControls } from '../run-panel/index.js'
import { LogName } from './LogName.js'
import { ProblemCounts } from './ProblemCounts.js'
import { ProjectName } from './ProjectName.js'
import { ThemeMenu } from './ThemeMenu.js'
import './top-bar.css'

const MODES: readonly (readonly [Mode, string])[] = [
  ['design', 'Design'],
  ['live', 'Live'],
]

/** Project, mode, run, problems, search, theme, export. */
export function TopBar() {
  const commands = useCommands()
  const open = useProject((state) => state.projectId !== null)
  const mode = useView((state) => state.mode)
  const undoLabel = useProject((state) => state.undoLabel)
  const redoLabel = useProject((state) => state.redoLabel)
  return (
    <header className="top-bar">
      <button
        type="button"
        className="top-logo"
        aria-label="Lanescope, open a project"
        onClick={() => commands.run('open-project')}
      >
        <Logo />
        <span>Lanescope</span>
      </button>
      <ProjectName />
      <LogName />
      <span className="top-line" />
      <button
        type="button"
        className="icon-button"
        aria-label="Undo"
        title={undoLabel ? `Undo: ${undoLabel} (Ctrl Z)` : 'Nothing to undo'}
        disabled={undoLabel === undefined}
        onClick={() => commands.run('undo')}
      >
        <Glyph name="undo" />
      </button>
      <button
        type="button"
        className="icon-button"
        aria-label="Redo"
        title={redoLabel ? `Redo: ${redoLabel} (Ctrl Shift Z)` : 'Nothing to redo'}
        disabled={redoLabel === undefined}
        onClick={() => commands.run('redo')}
      >
        <Glyph name="redo" />
      </button>
      <span className="spring" />
      <div className="segmented" role="radiogroup" aria-label="Mode">
        {MODES.map(([id, label]) => (
          // biome-ignore lint/a11y/useSemanticElements: two buttons in a row, as a radio group
          <button
            key={id}
            type="button"
            role="radio"
            aria-checked={mode === id}
            disabled={!open}
            onClick={() => commands.run(id)}
          >
            {label}
          </button>
        ))}
      </div>
      <RunControls />
      <span className="spring" />
      <ProblemCounts />
      <span className="top-line" />
      <button type="button" className="top-search" aria-label="Search or run" onClick={() => commands.run('commands')}>
        <Glyph name="search" size={14} />
        <span>Search or run</span>
        <kbd>Ctrl K</kbd>
      </button>
      <ThemeMenu />
      <button type="button" className="button lined" disabled={!open} onClick={() => commands.run('export')}>
        <Glyph name="export" />
        Export
      </button>
    </header>
  )
}
