import type { ByteStores, StoreBuilder } from '../state/StoreBuilder.js'
import type { CompiledTopology } from '../topology/CompiledTopology.js'
import { withOverrides } from './withOverrides.js'

/** The same topology; whoever builds one of its stores is seen to, with the byte stores it builds them in. */
export function withSeenStores(compiled: CompiledTopology, seen: (byteStores: ByteStores) => void): CompiledTopology {
  const stores = compiled.stores.map((store) => {
    const builder: StoreBuilder<unknown, unknown> = withOverrides(store.builder as StoreBuilder<unknown, unknown>, {
      build: (environment) => {
        seen(environment.byteStores)
        return store.builder.build(environment) as ReturnType<StoreBuilder<unknown, unknown>['build']>
      },
    })
    return { ...store, builder }
  })
  return withOverrides(compiled, { stores })
}
