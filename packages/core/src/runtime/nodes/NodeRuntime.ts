import type { Record } from '../../model/Record.js'
import type { TimerService } from '../../timers/TimerService.js'
import type { CompiledBoundary, CompiledNode } from '../../topology/CompiledTopology.js'
import type { AffinityCheck } from '../guards/AffinityCheck.js'
import type { Lane } from '../scheduling/Lane.js'
import type { SubTopologyRuntime } from '../scheduling/SubTopologyRuntime.js'
import type { NodeInstance } from './NodeInstance.js'
import type { SinkWriter } from './SinkWriter.js'
import type { WorkItem } from './WorkItem.js'

/** An edge as the runtime walks it. */
export interface ChildLink {
  readonly child: NodeRuntime
  readonly boundary: CompiledBoundary | undefined
  /** What the key's serde is told at the boundary: it stands where Kafka Streams has a topic. */
  readonly place: string
  count: number
}

/** Keeps back what a node forwards, until the driver says so: Kafka Streams' record cache (`kafka-streams.md` C.8). */
export interface ForwardHold {
  /**
   * @param input the record that its callback is about
   * @returns what goes on at once; undefined: nothing does
   */
  hold(
    node: NodeRuntime,
    lane: Lane,
    record: Record<unknown, unknown>,
    input: Record<unknown, unknown>,
    item: WorkItem,
  ): Record<unknown, unknown> | undefined
}

/** A node of a running topology: what its instances on all lanes share. */
export class NodeRuntime {
  readonly children: ChildLink[] = []
  /** One a running lane; empty for sources and sinks. */
  readonly instances: NodeInstance[] = []
  timers: TimerService | undefined
  affinity: AffinityCheck | undefined
  sink: SinkWriter | undefined
  /** Only where Kafka's driver is emulated. */
  holdBack: ForwardHold | undefined
  in = 0
  out = 0
  busyMs = 0
  /** The node whose clock it goes by: itself, or one that both sides of a join lead to. */
  clock: NodeRuntime = this
  /** The greatest time that reached it, for lateness in `stream-time` mode; −1 before the first. */
  observed = -1

  constructor(
    readonly compiled: CompiledNode,
    readonly subTopology: SubTopologyRuntime,
    /** Its group on the clock board. */
    readonly clockGroup: number,
  ) {}

  get name(): string {
    return this.compiled.name
  }
}
