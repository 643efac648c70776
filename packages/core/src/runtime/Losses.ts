import type { DropReason, SilentLossReason } from '../events/EngineEvent.js'
import type { EventHub } from '../events/EventHub.js'
import type { RecordCoordinates } from '../model/Record.js'
import type { EngineLog } from './EngineLog.js'

/** Where every record that does not go on is counted, evented and logged (G3): nothing is silent. */
export class Losses {
  constructor(
    /** Counts one. In a run it moves the counter when the epoch commits: what is done again is not counted twice. */
    private readonly count: (counter: string) => void,
    private readonly log: EngineLog,
    private readonly events: EventHub,
  ) {}

  dropped(
    reason: DropReason,
    node: string,
    coordinates: RecordCoordinates | null,
    detail: string,
    lane?: number,
  ): void {
    this.countDropped(reason)
    this.log.warnOncePerMinute(`${reason}/${node}`, detail, node, { lane, coordinates })
    if (!this.events.listening('record-dropped')) return
    this.events.emit<'record-dropped'>({
      type: 'record-dropped',
      reason,
      node,
      coordinates,
      detail,
      ...(lane === undefined ? {} : { lane }),
    })
  }

  /** What Kafka Streams would lose without a word. */
  silent(reason: SilentLossReason, node: string, coordinates: RecordCoordinates | null, detail: string): void {
    this.countSilent(reason)
    this.log.warnOncePerMinute(`${reason}/${node}`, detail, node, { coordinates })
    if (!this.events.listening('silent-loss')) return
    this.events.emit<'silent-loss'>({ type: 'silent-loss', reason, node, coordinates, detail })
  }

  countDropped(reason: DropReason): void {
    this.count(`dropped_records_total{reason="${reason}"}`)
  }

  countSilent(reason: SilentLossReason): void {
    this.count(`silent_loss_total{reason="${reason}"}`)
  }
}
