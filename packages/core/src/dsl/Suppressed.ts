import type { Windowed } from '../model/Windowed.js'
import { checkName } from '../topology/checkName.js'
import { topologyError } from '../topology/topologyError.js'
import type { BufferConfig } from './BufferConfig.js'

interface SuppressedOptions {
  /** Undefined: until windows close. */
  readonly waitMs: number | undefined
  readonly buffer: BufferConfig
  readonly name?: string
}

/** Which updates of a table `KTable.suppress` holds back, and for how long. Immutable. */
export class Suppressed<K = any> {
  private constructor(readonly options: SuppressedOptions) {}

  /** @internal never there: it ties the type to the keys of the tables that it is for */
  declare readonly keys?: (key: K) => void

  /**
   * Final results: each window comes out once, when it takes no more records; what is deleted by then never comes out.
   *
   * @param buffer must not let a row go early
   */
  static untilWindowCloses(buffer: BufferConfig<true>): Suppressed<Windowed<any>> {
    if (buffer.isStrict) return new Suppressed<Windowed<any>>({ waitMs: undefined, buffer })
    throw topologyError(
      'untilWindowCloses takes a buffer that never lets a result go early, but this one does when it is full. ' +
        'Use BufferConfig.unbounded(), or add shutDownWhenFull().',
    )
  }

  /**
   * Fewer updates: a row comes out this long after its first update that was held back, as it is by then. It goes by
   * event time, so without new records nothing comes out.
   *
   * @param waitMs 0 lets everything through at once
   */
  static untilTimeLimit(waitMs: number, buffer: BufferConfig): Suppressed<any> {
    if (Number.isSafeInteger(waitMs)) return new Suppressed({ waitMs, buffer })
    throw topologyError(`A suppress cannot wait for ${waitMs} ms. Give an integer number of ms.`)
  }

  /** Names the node, and with it its buffer. No number is used up then (C.1). */
  withName(name: string): Suppressed<K> {
    checkName('node', name)
    return new Suppressed({ ...this.options, name })
  }
}
