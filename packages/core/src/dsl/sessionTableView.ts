import type { Windowed } from '../model/Windowed.js'
import type { StoreBuilder } from '../state/StoreBuilder.js'
import type { ReadOnlySessionStore } from '../state/stores.js'
import { sessionForm } from './operators/sessionForm.js'
import type { TableView } from './TableView.js'

/** How a table of sessions is read from the session store that its aggregation keeps: the time of a row is its end. */
export function sessionTableView<K, V>(
  builder: StoreBuilder<ReadOnlySessionStore<K, any>, any>,
): TableView<Windowed<K>, V> {
  const form = sessionForm<V>(builder)
  return {
    stores: [builder],
    versioned: false,
    get(ctx, { key, window }) {
      const stored = ctx.store(builder).fetchSession(key, window.start, window.end)
      return stored === undefined ? undefined : { value: form.valueOf(stored), timestamp: window.end }
    },
  }
}
