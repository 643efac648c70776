import { createRequire } from 'node:module'
import type * as KafkaJs from 'kafkajs'
import { compressionCodecs } from './compressionCodecs.js'
import { withoutAborted } from './withoutAborted.js'

/** What kafkajs's batch is made from; only what is read here. */
interface PartitionData {
  readonly lastStableOffset?: string
}

interface BatchClass {
  new (topic: string, fetchedOffset: string, data: PartitionData): object
}

/** A batch as the repaired client hands it out. */
export type RepairedBatch = KafkaJs.Batch & {
  /** Where a `read_committed` reader ends; kafkajs reads it from the wire and then drops it. */
  readonly lastStableOffset?: string
}

/**
 * Loads kafkajs 2.2.4, with two repairs that its interface leaves no other place for:
 * - its filter shows records of aborted transactions to `read_committed` readers (see `withoutAborted`);
 * - its batches keep the high watermark only, behind which a reader never comes while a transaction is open.
 *
 * Both modules are replaced in Node's module cache, so this must be the one place that loads kafkajs. A later load
 * finds what the first has left. It also registers the codecs that kafkajs lacks.
 */
export function loadKafkaJs(): typeof KafkaJs {
  const require = createRequire(import.meta.url)
  replace(require, 'kafkajs/src/consumer/filterAbortedMessages.js', () => withoutAborted)
  replace(require, 'kafkajs/src/consumer/batch.js', withLastStableOffset)
  const kafkajs = require('kafkajs') as typeof KafkaJs
  Object.assign(kafkajs.CompressionCodecs, compressionCodecs(require, kafkajs.CompressionTypes))
  return kafkajs
}

const REPAIRED = Symbol.for('lanescope.repaired')

function replace(require: NodeJS.Require, module: string, repair: (original: unknown) => object): void {
  const original: unknown = require(module)
  if (typeof original === 'function' && REPAIRED in original) return
  const cached = require.cache[require.resolve(module)]
  if (cached) cached.exports = Object.assign(repair(original), { [REPAIRED]: true })
}

function withLastStableOffset(original: unknown): object {
  return class extends (original as BatchClass) {
    readonly lastStableOffset: string | undefined

    constructor(topic: string, fetchedOffset: string, data: PartitionData) {
      super(topic, fetchedOffset, data)
      this.lastStableOffset = data.lastStableOffset
    }
  }
}
