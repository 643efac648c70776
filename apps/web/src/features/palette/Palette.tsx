import type { DragEvent } from 'react'
import { KIND_TYPE } from '../../canvas/useDrops.js'
import { type KindFacts, longLabel, NODE_KINDS, PALETTE_GROUPS } from '../../model/nodeKinds.js'
import { useProject } from '../../store/context.js'
import { Glyph } from '../../ui/Glyph.js'
import { useCommands } from '../commands/useCommands.js'
import { Outline } from '../outline/Outline.js'
import { useStartWays } from '../start/useStartWays.js'
import './palette.css'

/** On the left in Design: what can be added, and below it what is there. */
export function Palette() {
  const commands = useCommands()
  const open = useProject((state) => state.projectId !== null)
  // Without a project, the first node makes one.
  const { ready, startWith } = useStartWays()
  const able = open || ready
  return (
    <aside className="app-left" aria-label="Palette and outline">
      <button
        type="button"
        className="palette-add"
        disabled={!able}
        onClick={() => (open ? commands.run('add') : startWith('source'))}
      >
        <Glyph name="plus" />
        Add a node
        <kbd>N</kbd>
      </button>
      <div className="palette-kinds">
        {PALETTE_GROUPS.map((group) => (
          <section key={group} aria-label={group}>
            <h3>{group}</h3>
            {NODE_KINDS.filter((facts) => facts.group === group).map((facts) => (
              <Kind
                key={facts.kind}
                facts={facts}
                disabled={!able}
                onAdd={() => (open ? commands.run(`add-${facts.kind}`) : startWith(facts.kind))}
              />
            ))}
          </section>
        ))}
      </div>
      {open && <Outline />}
    </aside>
  )
}

function Kind(props: { readonly facts: KindFacts; readonly disabled: boolean; readonly onAdd: () => void }) {
  const { facts, disabled, onAdd } = props
  const onDragStart = (event: DragEvent) => {
    event.dataTransfer.setData(KIND_TYPE, facts.kind)
    event.dataTransfer.effectAllowed = 'copy'
  }
  return (
    <button
      type="button"
      className="palette-kind"
      draggable={!disabled}
      disabled={disabled}
      onDragStart={onDragStart}
      onClick={onAdd}
      aria-label={longLabel(facts)}
      title={`${facts.hint}. Drag it to the canvas, or click.`}
    >
      <Glyph name={facts.glyph} />
      {facts.label}
    </button>
  )
}
