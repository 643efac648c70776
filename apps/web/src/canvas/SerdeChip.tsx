import type { Chip } from '@lanescope/shared'
import { chipText } from '../model/chipText.js'
import './chip.css'

const SAYS: { readonly [status in Chip['status']]: string } = {
  declared: 'declared',
  inherited: 'inherited',
  defaulted: 'by default',
  unresolved: 'unresolved',
}

/** A key serde: what it is, and by its border how sure that is. */
export function SerdeChip(props: { readonly chip: Chip; readonly away?: boolean; readonly selected?: boolean }) {
  const { chip, away, selected } = props
  const by = chip.by ? ` by ${chip.by}` : ''
  const at = chip.node ? ` on ${chip.node}` : ''
  const className = `chip ${chip.status}${away ? ' away' : ''}${selected ? ' picked' : ''}`
  return (
    <span className={className} title={`Key serde ${chipText(chip.label)}, ${SAYS[chip.status]}${by}${at}`}>
      {chip.status === 'unresolved' && <i className="chip-diamond" aria-hidden="true" />}
      {chip.windowed && (
        <svg viewBox="0 0 9 8" width="9" height="8" aria-hidden="true" className="chip-window">
          <path d="M.6.5v7M4.5.5v7M8.4.5v7M.6 4h7.8" />
        </svg>
      )}
      {chipText(chip.label)}
    </span>
  )
}
