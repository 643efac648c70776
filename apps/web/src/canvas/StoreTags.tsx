import { formatDuration } from '../model/duration.js'
import type { StoreTag } from '../model/queries.js'
import { Glyph } from '../ui/Glyph.js'

/** State stores, hung below the node that keeps them. */
export function StoreTags(props: { readonly stores: readonly StoreTag[] }) {
  if (props.stores.length === 0) return null
  return (
    <ul className="store-tags" aria-label="Stores">
      {props.stores.map((store) => (
        <li key={store.id} className={store.kind}>
          <Glyph name="store" size={12} />
          {store.name}
          {store.retentionMs !== undefined && ` · ${formatDuration(store.retentionMs)}`}
        </li>
      ))}
    </ul>
  )
}
