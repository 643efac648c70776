import type { ReactNode } from 'react'
import { Glyph, type GlyphName } from './Glyph.js'
import './panel.css'

/** The head of a right-hand panel: what it shows, its acts, and the way out. */
export function PanelHead(props: {
  readonly title: string
  readonly note?: string
  readonly glyph?: GlyphName
  readonly glyphClass?: string
  readonly onClose: () => void
  readonly children?: ReactNode
}) {
  const { title, note, glyph, glyphClass, onClose, children } = props
  return (
    <header className="panel-head">
      {glyph && <Glyph name={glyph} {...(glyphClass ? { className: glyphClass } : {})} />}
      <b>{title}</b>
      {note && <span>{note}</span>}
      <span className="spring" />
      {children}
      <button type="button" className="icon-button small" aria-label="Close the panel" onClick={onClose}>
        <Glyph name="close" />
      </button>
    </header>
  )
}
