/** Where the fields of a record batch of format 2 stand, in bytes from its beginning. */
export const at = {
  firstOffset: 0,
  length: 8,
  leaderEpoch: 12,
  magic: 16,
  crc: 17,
  attributes: 21,
  lastOffsetDelta: 23,
  firstTimestamp: 27,
  maxTimestamp: 35,
  producerId: 43,
  producerEpoch: 51,
  firstSequence: 53,
  count: 57,
  records: 61,
} as const

export const MAGIC = 2

/** Bits of a batch's attributes. */
export const CODEC_MASK = 0x07
export const LOG_APPEND_TIME = 0x08
export const TRANSACTIONAL = 0x10
export const CONTROL = 0x20

/** What kafkajs holds for a compression codec. */
export interface CodecModule {
  compress(encoder: { readonly buffer: Buffer }): Promise<Buffer>
  decompress(bytes: Buffer): Promise<Buffer>
}
/** By the codec's number in the attributes; undefined for none. */
export type CodecOf = (codec: number) => CodecModule | undefined

const HIGH = 2 ** 32

export function readInt64(bytes: Buffer, offset: number): number {
  return bytes.readInt32BE(offset) * HIGH + bytes.readUInt32BE(offset + 4)
}

export function writeInt64(bytes: Buffer, value: number, offset: number): void {
  const high = Math.floor(value / HIGH)
  bytes.writeInt32BE(high, offset)
  bytes.writeUInt32BE(value - high * HIGH, offset + 4)
}
