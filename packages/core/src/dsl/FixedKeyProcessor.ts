import type { Processor, ProcessorSupplier } from '../processor/Processor.js'

/** A processor that keeps every record's key; what it forwards bears the key that it got (B6). */
export type FixedKeyProcessor<K, VI, VO = VI> = Processor<K, VI, K, VO>

/** Makes one fixed-key processor a lane. */
export type FixedKeyProcessorSupplier<K, VI, VO = VI> = Omit<ProcessorSupplier<K, VI, K, VO>, 'sameKey'>

/** The supplier as the engine takes it: declared to keep the key, which is checked at `forward`. */
export function fixedKey<K, VI, VO>(
  given: FixedKeyProcessorSupplier<K, VI, VO> | (() => FixedKeyProcessor<K, VI, VO>),
): ProcessorSupplier<K, VI, K, VO> {
  if (typeof given === 'function') return { get: given, sameKey: true }
  const { stores, sync, timers } = given
  return {
    get: () => given.get(),
    sameKey: true,
    ...(stores !== undefined && { stores }),
    ...(sync !== undefined && { sync }),
    ...(timers !== undefined && { timers }),
  }
}
