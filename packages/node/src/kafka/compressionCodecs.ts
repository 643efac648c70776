import type * as KafkaJs from 'kafkajs'

interface Codec {
  compress(encoder: { readonly buffer: Buffer }): Promise<Buffer>
  decompress(bytes: Buffer): Promise<Buffer>
}

interface Snappy {
  compress(bytes: Buffer): Promise<Buffer>
  uncompress(bytes: Buffer): Promise<Buffer>
}
interface Lz4 {
  compressFrame(bytes: Buffer): Promise<Buffer>
  decompressFrame(bytes: Buffer): Promise<Buffer>
}
interface Zstd {
  compress(bytes: Buffer, level: number): Promise<Buffer>
  decompress(bytes: Buffer): Promise<Buffer>
}

const ZSTD_LEVEL = 3

/** The codecs that kafkajs lacks (it has gzip). Each library is loaded when its first batch comes. */
export function compressionCodecs(
  require: NodeJS.Require,
  types: typeof KafkaJs.CompressionTypes,
): Record<number, () => Codec> {
  return {
    [types.Snappy]: () => snappyCodec(require('snappy') as Snappy),
    [types.LZ4]: () => {
      const lz4 = require('lz4-napi') as Lz4
      return {
        compress: async ({ buffer }) => lz4.compressFrame(buffer),
        decompress: async (bytes) => lz4.decompressFrame(bytes),
      }
    },
    [types.ZSTD]: () => {
      const zstd = require('@mongodb-js/zstd') as Zstd
      return {
        compress: async ({ buffer }) => zstd.compress(buffer, ZSTD_LEVEL),
        decompress: async (bytes) => zstd.decompress(bytes),
      }
    },
  }
}

function snappyCodec(snappy: Snappy): Codec {
  return {
    compress: async ({ buffer }) => frameXerial(await snappy.compress(buffer)),
    decompress: (bytes) => unframeXerial(bytes, (block) => snappy.uncompress(block)),
  }
}

const XERIAL_MAGIC = Buffer.from([0x82, 0x53, 0x4e, 0x41, 0x50, 0x50, 0x59, 0x00])
const XERIAL_HEADER = 16

/** Java's framing: magic, two versions, then blocks of length and data. */
export function frameXerial(compressed: Buffer): Buffer {
  const head = Buffer.alloc(XERIAL_HEADER + 4)
  XERIAL_MAGIC.copy(head)
  head.writeInt32BE(1, 8)
  head.writeInt32BE(1, 12)
  head.writeInt32BE(compressed.length, XERIAL_HEADER)
  return Buffer.concat([head, compressed])
}

/** Reads what the Java client writes, block by block; other clients write one block without a frame. */
export async function unframeXerial(bytes: Buffer, uncompress: (block: Buffer) => Promise<Buffer>): Promise<Buffer> {
  if (bytes.length < XERIAL_HEADER || !bytes.subarray(0, XERIAL_MAGIC.length).equals(XERIAL_MAGIC)) {
    return uncompress(bytes)
  }
  const blocks: Buffer[] = []
  for (let at = XERIAL_HEADER; at < bytes.length; ) {
    const length = bytes.readUInt32BE(at)
    blocks.push(await uncompress(bytes.subarray(at + 4, at + 4 + length)))
    at += 4 + length
  }
  return Buffer.concat(blocks)
}
