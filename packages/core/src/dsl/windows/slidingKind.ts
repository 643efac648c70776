import { windowed } from '../../serde/windowed.js'
import { slidingAggregate } from '../operators/slidingAggregate.js'
import type { SlidingWindows } from '../SlidingWindows.js'
import { windowTableView } from '../windowTableView.js'
import type { WindowKind } from './WindowKind.js'
import { windowStore } from './windowStore.js'

/** Windows around each record. Both their ends are inclusive. */
export function slidingKind(windows: SlidingWindows): WindowKind {
  const { timeDifferenceMs, graceMs } = windows
  const keepMs = 2 * timeDifferenceMs + graceMs
  const endOf = (start: number) => Math.min(start + timeDifferenceMs, Number.MAX_SAFE_INTEGER)
  const needs = {
    windowSizeMs: timeDifferenceMs,
    leastRetentionMs: keepMs,
    rule: '2 * time difference plus the grace period',
    got: `time difference=[${timeDifferenceMs}], grace=[${graceMs}]`,
  }
  return {
    facts: {
      // As one whose end is exclusive: it closes a millisecond later.
      window: { sizeMs: timeDifferenceMs + 1, advanceMs: 1, graceMs, keepMs },
      closes: { waitMs: graceMs, endInclusive: true },
    },
    wrap: (inner) => windowed(inner, timeDifferenceMs > 0 ? timeDifferenceMs : { id: '0', endOf }),
    store: (name, options, config, onClose) => windowStore(name, needs, options, config, onClose),
    supplier: (settings) => slidingAggregate(windows, settings),
    view: windowTableView,
  }
}
