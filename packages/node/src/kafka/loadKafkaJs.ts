import { createRequire } from 'node:module'
import type * as KafkaJs from 'kafkajs'
import { compressionCodecs } from './compressionCodecs.js'
import { joinsOnce } from './memberLost.js'
import { loadPrivately } from './privateModules.js'
import { produceRequest } from './records/produceRequest.js'
import type { RecordRun } from './records/RecordRun.js'
import type { CodecModule } from './records/recordBatch.js'
import { wholeRequest } from './records/wholeRequest.js'
import { checksWhenThereIsWork } from './requestQueue.js'

type Encoder = new () => ReturnType<Parameters<typeof produceRequest>[0]>

interface Compression {
  readonly Codecs: { readonly [number: number]: (() => CodecModule) | undefined }
}

/**
 * Loads a copy of kafkajs 2.2.4 with three of its modules replaced, since its interface leaves no other place:
 * - the encoder of records to produce (it cannot write a header without a value, and is slow);
 * - the request around them (it copies everything three times);
 * - the grouping of what is sent by partition (its time grows with the square of the records).
 *
 * Its consumers hold a place in a group and read nothing: records are fetched past it.
 * The copy is ours alone: a processor that uses kafkajs has the original. It has the codecs that kafkajs lacks, too.
 */
export function loadKafkaJs(): typeof KafkaJs {
  const codecOf = (inside: (path: string) => unknown) => (number: number) =>
    (inside('src/protocol/message/compression/index.js') as Compression).Codecs[number]?.()
  const { exports, inside } = loadPrivately('kafkajs', {
    'src/protocol/requests/produce/v3/request.js': (inside) =>
      produceRequest(
        () => new (inside('src/protocol/encoder.js') as Encoder)(),
        (number) => {
          const module = codecOf(inside)(number)
          return module && { number, module }
        },
      ),
    'src/protocol/request.js': () => wholeRequest,
    'src/producer/groupMessagesPerPartition.js': () => byPartition,
  })
  checksWhenThereIsWork(inside('src/network/requestQueue/index.js'))
  joinsOnce(inside('src/consumer/consumerGroup.js'))
  const kafkajs = exports as typeof KafkaJs
  Object.assign(kafkajs.CompressionCodecs, compressionCodecs(createRequire(import.meta.url), kafkajs.CompressionTypes))
  return kafkajs
}

/** What is sent comes as one run for each partition. */
function byPartition({ messages }: { readonly messages: readonly RecordRun[] }) {
  return Object.fromEntries(messages.map((run) => [run.partition, run]))
}
