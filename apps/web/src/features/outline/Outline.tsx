import { type KeyboardEvent, useMemo } from 'react'
import { severities } from '../../canvas/flowModel.js'
import { kindFacts, paletteKindOf } from '../../model/nodeKinds.js'
import { outlineOf } from '../../model/outline.js'
import { useFindings, useProject, useView } from '../../store/context.js'
import { Glyph } from '../../ui/Glyph.js'
import { SeverityMark } from '../../ui/SeverityMark.js'
import './outline.css'

/** The topology as an indented list: also the way through it for a keyboard and a screen reader. */
export function Outline() {
  const document = useProject((state) => state.workspace.document)
  const analysis = useFindings((state) => state.analysis)
  const selection = useView((state) => state.selection)
  const selectNodes = useView((state) => state.selectNodes)
  const rows = useMemo(() => outlineOf(document), [document])
  const worst = useMemo(() => severities(analysis), [analysis])
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step === 0) return
    event.preventDefault()
    const buttons = [...event.currentTarget.querySelectorAll<HTMLElement>('[role="treeitem"]')]
    const at = buttons.indexOf(event.target as HTMLElement)
    buttons[Math.max(0, Math.min(buttons.length - 1, at + step))]?.focus()
  }
  return (
    <section className="outline" aria-label="Outline">
      <h3>Outline</h3>
      {rows.length === 0 && <p className="outline-empty">No nodes yet</p>}
      <div role="tree" aria-label="Nodes" tabIndex={-1} onKeyDown={onKeyDown}>
        {rows.map(({ node, depth }, index) => {
          const chosen = selection.includes(node.id)
          const severity = worst.get(node.id)
          const facts = kindFacts(paletteKindOf(node))
          const first = selection.length === 0 ? index === 0 : selection[0] === node.id
          return (
            <button
              key={node.id}
              type="button"
              role="treeitem"
              aria-level={depth + 1}
              aria-selected={chosen}
              tabIndex={first ? 0 : -1}
              className="outline-row"
              style={{ paddingLeft: 12 + depth * 10 }}
              onClick={() => selectNodes([node.id])}
            >
              <Glyph name={facts.glyph} size={13} />
              <span>{node.name}</span>
              {severity && <SeverityMark severity={severity} />}
            </button>
          )
        })}
      </div>
    </section>
  )
}
