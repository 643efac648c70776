import type { OrderedByteStore } from '../state/OrderedByteStore.js'
import type { ChangelogMarks, StateBackend, StoreChanges } from '../state/StateBackend.js'
import type { SimulationScheduler } from './SimulationScheduler.js'

/**
 * State that outlives the engines over it. An epoch reaches it when the seed says so: a crash may come between the
 * log's commit and this one, and then nothing of the epoch is here.
 */
export class SimulatedState implements StateBackend {
  constructor(
    private readonly inner: StateBackend,
    private readonly scheduler: SimulationScheduler,
  ) {}

  get committedEpoch(): number | undefined {
    return this.inner.committedEpoch
  }

  get changelogMarks(): ChangelogMarks {
    return this.inner.changelogMarks
  }

  get damaged(): readonly string[] {
    return this.inner.damaged
  }

  open(store: string): OrderedByteStore {
    return this.inner.open(store)
  }

  names(prefix: string): readonly string[] {
    return this.inner.names(prefix)
  }

  async commit(epoch: number, changes: readonly StoreChanges[], marks?: ChangelogMarks): Promise<void> {
    await this.scheduler.hold(undefined, 'state commit')
    await this.inner.commit(epoch, changes, marks)
    await this.scheduler.hold(undefined, 'state committed')
  }

  async restore(changes: readonly StoreChanges[], marks?: ChangelogMarks): Promise<void> {
    await this.inner.restore(changes, marks)
    await this.scheduler.hold(undefined, 'state restored')
  }

  async reset(): Promise<void> {
    await this.inner.reset()
  }

  async close(): Promise<void> {}
}
