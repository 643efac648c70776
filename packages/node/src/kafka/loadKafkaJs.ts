import { createRequire } from 'node:module'
import type { TopicPartition } from '@lanescope/core'
import type * as KafkaJs from 'kafkajs'
import { compressionCodecs } from './compressionCodecs.js'
import { PositionLostError } from './PositionLostError.js'
import { loadPrivately } from './privateModules.js'
import { type DecodedRecords, decodeRecordBatches } from './records/decodeRecordBatches.js'
import { PartitionRecords } from './records/PartitionRecords.js'
import { produceRequest } from './records/produceRequest.js'
import type { RecordRun } from './records/RecordRun.js'
import type { CodecModule } from './records/recordBatch.js'
import { wholeRequest } from './records/wholeRequest.js'
import { checksWhenThereIsWork } from './requestQueue.js'

/** A batch as the repaired client hands it out. */
export type RepairedBatch = Omit<KafkaJs.Batch, 'messages'> & Pick<PartitionRecords, 'messages' | 'lastStableOffset'>

const nothing: DecodedRecords = { records: [] }

interface Decoder {
  readInt32(): number
  canReadBytes(length: number): boolean
  readBytes(length: number): Buffer
}

type Encoder = new () => ReturnType<Parameters<typeof produceRequest>[0]>

interface ConsumerGroup {
  recoverFromOffsetOutOfRange: (place: TopicPartition) => Promise<void>
}

interface Compression {
  readonly Codecs: { readonly [number: number]: (() => CodecModule) | undefined }
}

/**
 * Loads a copy of kafkajs 2.2.4 with five of its modules replaced, since its interface leaves no other place:
 * - the decoder of fetched records (it checks no checksum, and sorts headers by name);
 * - the class of a fetched batch (it shows records of aborted transactions, and does not know the last stable offset);
 * - the encoder of records to produce (it cannot write a header without a value, and is slow);
 * - the request around them (it copies everything three times);
 * - the grouping of what is sent by partition (its time grows with the square of the records);
 *
 * and a consumer whose position is not in the log any more ends, in place of choosing another one.
 *
 * The copy is ours alone: a processor that uses kafkajs has the original. It has the codecs that kafkajs lacks, too.
 */
export function loadKafkaJs(): typeof KafkaJs {
  const codecOf = (inside: (path: string) => unknown) => (number: number) =>
    (inside('src/protocol/message/compression/index.js') as Compression).Codecs[number]?.()
  const { exports, inside } = loadPrivately('kafkajs', {
    'src/protocol/requests/fetch/v4/decodeMessages.js': (inside) => async (decoder: Decoder) => {
      const length = decoder.readInt32()
      if (length <= 0 || !decoder.canReadBytes(length)) return nothing
      return decodeRecordBatches(decoder.readBytes(length), codecOf(inside))
    },
    'src/consumer/batch.js': () => PartitionRecords,
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
  const { prototype } = inside('src/consumer/consumerGroup.js') as { readonly prototype: ConsumerGroup }
  prototype.recoverFromOffsetOutOfRange = positionLost
  checksWhenThereIsWork(inside('src/network/requestQueue/index.js'))
  const kafkajs = exports as typeof KafkaJs
  Object.assign(kafkajs.CompressionCodecs, compressionCodecs(createRequire(import.meta.url), kafkajs.CompressionTypes))
  return kafkajs
}

/** In place of going on somewhere else and committing that position at once, beside every transaction (E13). */
async function positionLost({ topic, partition }: TopicPartition): Promise<never> {
  throw new PositionLostError({ topic, partition })
}

/** What is sent comes as one run for each partition. */
function byPartition({ messages }: { readonly messages: readonly RecordRun[] }) {
  return Object.fromEntries(messages.map((run) => [run.partition, run]))
}
