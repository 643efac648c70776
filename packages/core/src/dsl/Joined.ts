import type { Serde } from '../serde/Serde.js'
import { checkDuration } from '../topology/checkDuration.js'
import { checkName } from '../topology/checkName.js'

interface JoinedOptions<K, V, VO> {
  readonly keySerde?: Serde<K>
  readonly valueSerde?: Serde<V>
  readonly otherValueSerde?: Serde<VO>
  readonly name?: string
  readonly gracePeriodMs?: number
}

/** How a join of a stream with a table is named, how its stream is written, and how long it waits. Immutable. */
export class Joined<K, V, VO> {
  private constructor(readonly options: JoinedOptions<K, V, VO>) {}

  /** @param otherValueSerde of the table, whose own store says how it is written: there for Kafka's sake */
  static with<K = any, V = any, VO = any>(
    keySerde: Serde<K> | undefined,
    valueSerde: Serde<V> | undefined,
    otherValueSerde?: Serde<VO>,
  ): Joined<K, V, VO> {
    return new Joined({
      ...(keySerde !== undefined && { keySerde }),
      ...(valueSerde !== undefined && { valueSerde }),
      ...(otherValueSerde !== undefined && { otherValueSerde }),
    })
  }

  /** Names the node of the join, and the boundary in front of it. */
  static as<K = any, V = any, VO = any>(name: string): Joined<K, V, VO> {
    return new Joined<K, V, VO>({}).withName(name)
  }

  withName(name: string): Joined<K, V, VO> {
    checkName('node', name)
    return new Joined({ ...this.options, name })
  }

  withKeySerde(keySerde: Serde<K>): Joined<K, V, VO> {
    return new Joined({ ...this.options, keySerde })
  }

  withValueSerde(valueSerde: Serde<V>): Joined<K, V, VO> {
    return new Joined({ ...this.options, valueSerde })
  }

  withOtherValueSerde(otherValueSerde: Serde<VO>): Joined<K, V, VO> {
    return new Joined({ ...this.options, otherValueSerde })
  }

  /**
   * Keeps stream records until the clock has passed them by so many ms, then joins each with the table's value as of
   * the record's time: rows that come late still count. The table must be versioned, and keep at least as long.
   *
   * @throws StreamError TOPOLOGY_INVALID for a negative number
   */
  withGracePeriod(gracePeriodMs: number): Joined<K, V, VO> {
    checkDuration('Grace period', gracePeriodMs, 0)
    return new Joined({ ...this.options, gracePeriodMs })
  }
}
