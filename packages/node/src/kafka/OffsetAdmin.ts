import type { Admin } from 'kafkajs'
import type { KafkaClient } from './KafkaClient.js'
import { rootOf } from './kafkaErrors.js'

/**
 * Asks for offsets of topics, through a connection that asks for nothing else: a kafkajs client that has once asked for a
 * topic's offsets asks for that topic ever after, and when it is deleted, says of each other one that it does not exist.
 */
export class OffsetAdmin {
  #admin: Promise<Admin> | undefined

  constructor(private readonly client: KafkaClient) {}

  async ask<T>(work: (admin: Admin) => Promise<T>): Promise<T> {
    const known = this.#admin
    try {
      return await work(await this.#open())
    } catch (error) {
      if (known === undefined || rootOf(error).type !== 'UNKNOWN_TOPIC_OR_PARTITION') throw error
    }
    // It may be another topic that is gone: a new connection knows of none.
    await this.#close(known)
    return work(await this.#open())
  }

  async close(): Promise<void> {
    if (this.#admin !== undefined) await this.#close(this.#admin)
  }

  async #open(): Promise<Admin> {
    this.#admin ??= connected(this.client)
    const admin = this.#admin
    try {
      return await admin
    } catch (error) {
      if (this.#admin === admin) this.#admin = undefined
      throw error
    }
  }

  /** Several may ask at once, and find the same one of no use. */
  async #close(opened: Promise<Admin>): Promise<void> {
    if (this.#admin !== opened) return
    this.#admin = undefined
    await (await opened).disconnect()
  }
}

async function connected(client: KafkaClient): Promise<Admin> {
  const admin = client.kafka.admin()
  await admin.connect()
  return admin
}
