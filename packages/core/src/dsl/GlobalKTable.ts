import type { TableView } from './TableView.js'

/** The newest value per key of a whole topic, which every node may read on any key. Streams are joined with it. */
export class GlobalKTable<K, V> {
  /** @internal made by `StreamsBuilder.globalTable` */
  constructor(
    /** The name of its store, for queries. */
    readonly storeName: string,
    /** @internal how joins read it; they need not be connected to its store */
    readonly view: TableView<K, NonNullable<V>>,
  ) {}
}
