import { WindowStoreBuilder, type WindowStoreSettings } from '../../state/builders/WindowStoreBuilder.js'
import type { StoreBuilder } from '../../state/StoreBuilder.js'
import type { TopologyConfig } from '../../topology/TopologyConfig.js'
import { topologyError } from '../../topology/topologyError.js'
import type { Materialized } from '../Materialized.js'

type Options = Materialized<any, any>['options']

/** What a window store must be able to keep. Times in ms. */
export interface WindowStoreNeeds {
  readonly windowSizeMs: number
  readonly leastRetentionMs: number
  readonly endOf?: (start: number) => number
  /** The rule that `leastRetentionMs` follows, as Kafka says it, and the numbers that it is made of. */
  readonly rule: string
  readonly got: string
}

/** The window store of an aggregation: the one that was picked, else one of the kind that is asked for. */
export function windowStore(
  name: string,
  needs: WindowStoreNeeds,
  options: Options,
  config: TopologyConfig,
  onClose: boolean,
): StoreBuilder<any, any> {
  const { windowSizeMs, endOf } = needs
  const asked = { byTime: onClose, closes: onClose, ...(endOf !== undefined && { endOf }) }
  const { supplier } = options
  if (supplier !== undefined) {
    if (supplier instanceof WindowStoreBuilder) return supplier.withFormat('timestamped', { ...asked, picked: true })
    throw topologyError(
      `The store "${name}" is no window store: windowed aggregations need one. Make it by Stores.window, or name it only.`,
      { store: name },
    )
  }
  const inMemory = isInMemory(options, config)
  const settings: WindowStoreSettings = {
    name,
    retentionMs: retentionOf(name, needs, options.retentionMs),
    windowSizeMs,
    expiry: inMemory ? 'exact' : 'segments',
    format: config['dsl.store.format'] === 'headers' && !inMemory ? 'headers' : 'timestamped',
    ...asked,
  }
  return new WindowStoreBuilder<any, any>(settings, undefined, undefined)
}

export function isInMemory({ storeType }: Options, config: TopologyConfig): boolean {
  return (storeType ?? config['dsl.store.suppliers.class']) === 'inMemory'
}

/** @throws StreamError TOPOLOGY_INVALID when windows would go before they close (A.7) */
export function retentionOf(
  name: string,
  { leastRetentionMs, rule, got }: Pick<WindowStoreNeeds, 'leastRetentionMs' | 'rule' | 'got'>,
  asked: number | undefined,
): number {
  const retentionMs = asked ?? leastRetentionMs
  if (retentionMs >= leastRetentionMs) return retentionMs
  throw topologyError(
    `The retention period of the ${rule.startsWith('the session') ? 'session' : 'window'} store ${name} must be no ` +
      `smaller than ${rule}. Got ${got}, retention=[${retentionMs}]. Raise the retention to at least ${leastRetentionMs} ms.`,
    { store: name },
  )
}
