import { isConfigurable } from '../state/builders/ConfigurableStore.js'
import type { StoreBuilder } from '../state/StoreBuilder.js'
import type { Materialized } from './Materialized.js'

type Settings = Pick<Materialized<any, any>['options'], 'logging' | 'caching' | 'topicConfig'>

/** The store with the changelog that `Materialized` asks for; what it leaves open stays as the store has it. */
export function withStoreSettings<S, R>(
  builder: StoreBuilder<S, R>,
  { logging, caching, topicConfig }: Settings,
): StoreBuilder<S, R> {
  if (!isConfigurable(builder)) return builder
  let made = builder
  if (logging !== undefined) made = logging ? made.withLoggingEnabled(topicConfig) : made.withLoggingDisabled()
  if (caching !== undefined) made = caching ? made.withCachingEnabled() : made.withCachingDisabled()
  return made
}
