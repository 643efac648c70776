import type { Admin } from 'kafkajs'
import type { KafkaClient } from './KafkaClient.js'

/** Asks through a connection of its own: a client that was there before takes five minutes to hear of new partitions. */
export async function withNewAdmin<T>(client: KafkaClient, ask: (admin: Admin) => Promise<T>): Promise<T> {
  const admin = client.kafka.admin()
  await admin.connect()
  try {
    return await ask(admin)
  } finally {
    await admin.disconnect()
  }
}
