import { windowed } from '../../serde/windowed.js'
import { windowedAggregate } from '../operators/windowedAggregate.js'
import { TimeWindows } from '../TimeWindows.js'
import type { Windows } from '../Windows.js'
import { windowTableView } from '../windowTableView.js'
import type { WindowKind } from './WindowKind.js'
import { windowStore } from './windowStore.js'

/** Windows that are known from a record's time alone. */
export function timeKind(windows: Windows): WindowKind {
  const { sizeMs, graceMs, advanceMs = sizeMs } = windows
  const leastRetentionMs = Math.min(sizeMs + graceMs, Number.MAX_SAFE_INTEGER)
  const isFixed = windows instanceof TimeWindows
  const endOf = (start: number) => windows.endOf(start)
  const needs = {
    windowSizeMs: sizeMs,
    leastRetentionMs,
    ...(!isFixed && { endOf }),
    rule: 'its window size plus the grace period',
    got: `size=[${sizeMs}], grace=[${graceMs}]`,
  }
  return {
    facts: {
      window: { sizeMs, advanceMs, graceMs },
      closes: { waitMs: graceMs, endInclusive: false },
    },
    wrap: (inner) => windowed(inner, isFixed ? sizeMs : { id: windows.id ?? String(sizeMs), endOf }),
    store: (name, options, config, onClose) => windowStore(name, needs, options, config, onClose),
    supplier: (settings) => windowedAggregate(windows, settings),
    view: windowTableView,
  }
}
