import type { KafkaClient } from './KafkaClient.js'
import { clusterOf, type SeedBroker } from './KafkaCluster.js'
import { FlexibleReader, FlexibleWriter } from './records/flexible.js'

const METADATA = 3
/** The first in which topics can be asked for by name and are told with their ids, without another field at once. */
const VERSION = 12
const NO_ID = Buffer.alloc(16)

/**
 * Which topics are meant by these names: cluster id and topic id, of those that exist. Empty for brokers before 3.0, which
 * have no such request.
 *
 * kafkajs asks for metadata up to version 6, which knows names alone: a topic that was deleted and made anew looks to it
 * like the one before, and a reader of it goes on at its old position among records that it has never seen.
 */
export async function topicIds(client: KafkaClient, names: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (names.length === 0) return new Map()
  const cluster = clusterOf(client.kafka)
  await cluster.connect()
  try {
    return await askBroker(cluster.brokerPool.seedBroker, names)
  } finally {
    await cluster.disconnect()
  }
}

async function askBroker(broker: SeedBroker, names: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if ((broker.versions[METADATA]?.maxVersion ?? 0) < VERSION) return new Map()
  return broker.connectionPool.send({
    request: {
      apiKey: METADATA,
      apiVersion: VERSION,
      apiName: 'Metadata',
      encode: async () => ({ parts: [encodeRequest(names)] }),
    },
    response: { decode: async (payload: Buffer) => decodeTopicIds(payload), parse: async (ids) => ids },
  })
}

/** Metadata request 12, with the end of its head: the tagged fields, of which there are none. */
export function encodeRequest(names: readonly string[]): Buffer {
  const writer = new FlexibleWriter().tags()
  writer.length(names.length)
  for (const name of names) writer.bytes(NO_ID).text(name).tags()
  // No topic is to be made, and nobody asks what is allowed with it.
  return writer.boolean(false).boolean(false).tags().buffer
}

/** Ids by name, of a Metadata response 12 from behind its correlation id. */
export function decodeTopicIds(payload: Buffer): ReadonlyMap<string, string> {
  const reader = new FlexibleReader(payload)
  reader.tags()
  reader.skip(4)
  for (let left = reader.length(); left > 0; left--) {
    reader.skip(4)
    reader.text()
    reader.skip(4)
    reader.text()
    reader.tags()
  }
  const clusterId = reader.text() ?? ''
  reader.skip(4)
  const ids = new Map<string, string>()
  for (let left = reader.length(); left > 0; left--) {
    const error = reader.int16()
    const name = reader.text()
    const id = reader.bytes(16)
    reader.skip(1)
    for (let partitions = reader.length(); partitions > 0; partitions--) {
      reader.skip(2 + 4 + 4 + 4)
      // Replicas, those in sync, and those that are offline.
      for (let lists = 3; lists > 0; lists--) reader.skip(4 * reader.length())
      reader.tags()
    }
    reader.skip(4)
    reader.tags()
    if (error === 0 && name !== null && !id.equals(NO_ID)) ids.set(name, `${clusterId}/${id.toString('base64url')}`)
  }
  return ids
}
