import type { StoreBuilder, TopicConfig } from '../StoreBuilder.js'

/** A builder of a store whose changelog can be set. Immutable: each `with…` gives a new one. */
export interface ConfigurableStoreBuilder<S, R> extends StoreBuilder<S, R> {
  /** Settings of the changelog topic, by Kafka's names. */
  withLoggingEnabled(topicConfig?: TopicConfig): ConfigurableStoreBuilder<S, R>
  /** No changelog: what is lost with the local state stays lost. */
  withLoggingDisabled(): ConfigurableStoreBuilder<S, R>
  /** Kafka Streams' record cache. Here each update is sent; an epoch's final value is logged once anyway (E8). */
  withCachingEnabled(): ConfigurableStoreBuilder<S, R>
  withCachingDisabled(): ConfigurableStoreBuilder<S, R>
}

/** Whether a builder was made by `Stores`, and so can be told of logging and caching. */
export function isConfigurable<S, R>(builder: StoreBuilder<S, R>): builder is ConfigurableStoreBuilder<S, R> {
  return builder instanceof ConfigurableStore
}

/** What all builders of `Stores` can be told, whatever their kind. */
export abstract class ConfigurableStore {
  readonly logging: boolean = true
  readonly caching: boolean = false
  readonly topicConfig: TopicConfig = {}

  withLoggingEnabled(topicConfig: TopicConfig = {}): this {
    return this.told({ logging: true, topicConfig })
  }

  withLoggingDisabled(): this {
    return this.told({ logging: false })
  }

  withCachingEnabled(): this {
    return this.told({ caching: true })
  }

  withCachingDisabled(): this {
    return this.told({ caching: false })
  }

  /** What this one has been told, said to another that takes its place. */
  protected passOn<B extends ConfigurableStore>(other: B): B {
    const { logging, caching, topicConfig } = this
    return other.told({ logging, caching, topicConfig })
  }

  private told(settings: Partial<Pick<ConfigurableStore, 'logging' | 'caching' | 'topicConfig'>>): this {
    return Object.assign(Object.create(Object.getPrototypeOf(this)), this, settings)
  }
}
