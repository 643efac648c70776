import { CommittedByteStores } from '../../state/CommittedByteStores.js'
import type { StateBackend } from '../../state/StateBackend.js'
import type { StoreInstance } from '../../state/StoreBuilder.js'
import type { CompiledStore } from '../../topology/CompiledTopology.js'
import { emulates } from '../../topology/emulates.js'
import type { TopologyRunner } from '../TopologyRunner.js'

/**
 * The reading handle of a store as the last commit left it (P4): what no epoch that is alive can take back. Windows are
 * those of that commit; what has expired since is hidden.
 */
export function committedReader(
  runner: TopologyRunner,
  backend: StateBackend,
  store: CompiledStore,
  live: StoreInstance<unknown, unknown>,
): unknown {
  const observed = live.inspect().windowed?.observed
  const { builder, key, value } = store
  const instance = builder.build({
    applicationId: runner.applicationId,
    keySerde: key.serde as NonNullable<typeof key.serde>,
    valueSerde: value.serde as NonNullable<typeof value.serde>,
    byteStores: new CommittedByteStores(backend),
    ...(observed === undefined ? {} : { restoredObserved: observed }),
    eventClock: undefined,
    listening: () => false,
    emit: () => undefined,
    emulates: (repair) => emulates(runner.config, repair),
    countDropped: () => undefined,
    countSilentLoss: () => undefined,
    warn: (line, message) => runner.log.warnOncePerMinute(line, message),
    now: () => runner.clock.now(),
  })
  return instance.reader
}
