import type { Windowed } from '../model/Windowed.js'
import type { StoreBuilder } from '../state/StoreBuilder.js'
import type { ReadOnlyWindowStore } from '../state/stores.js'
import type { TableView } from './TableView.js'
import type { ValueAndTimestamp } from './valueAndTimestamp.js'

/** How a table of windowed keys is read from the window store that its aggregation keeps. */
export function windowTableView<K, V>(
  builder: StoreBuilder<ReadOnlyWindowStore<K, ValueAndTimestamp<V>>, any>,
): TableView<Windowed<K>, V> {
  return {
    stores: [builder],
    versioned: false,
    get: (ctx, { key, window }) => ctx.store(builder).fetch(key, window.start),
  }
}
