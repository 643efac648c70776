import type { Admin } from 'kafkajs'
import { expect, it } from 'vitest'
import type { KafkaClient } from './KafkaClient.js'
import { OffsetAdmin } from './OffsetAdmin.js'

/** A client whose admins say which of them they are, and what becomes of them. */
function scene() {
  const happened: string[] = []
  let made = 0
  const refused = new Set<number>()
  const admin = () => {
    const number = ++made
    return {
      number,
      connect: async () => {
        happened.push(`connect ${number}`)
        if (refused.has(number)) throw new Error('refused')
      },
      disconnect: async () => happened.push(`disconnect ${number}`),
    }
  }
  const offsets = new OffsetAdmin({ kafka: { admin } } as unknown as KafkaClient)
  return { offsets, happened, refused }
}
const numberOf = async (admin: Admin) => (admin as unknown as { number: number }).number
const missing = Object.assign(new Error('gone'), { type: 'UNKNOWN_TOPIC_OR_PARTITION' })

/** Fails on the first `last` admins. */
const failing =
  (last: number, error: Error = missing) =>
  async (admin: Admin) => {
    const number = await numberOf(admin)
    if (number <= last) throw error
    return number
  }

it('keeps one connection, made when it is first asked, until it is closed', async () => {
  const { offsets, happened } = scene()
  expect(happened).toEqual([])
  expect(await Promise.all([offsets.ask(numberOf), offsets.ask(numberOf)])).toEqual([1, 1])
  await offsets.close()
  expect(happened).toEqual(['connect 1', 'disconnect 1'])
  await offsets.close()
  expect(happened).toHaveLength(2)
})

it('asks again on a new connection where one that was used before knows no such topic', async () => {
  const { offsets, happened } = scene()
  await offsets.ask(numberOf)
  expect(await offsets.ask(failing(1))).toBe(2)
  expect(await offsets.ask(numberOf)).toBe(2)
  expect(happened).toEqual(['connect 1', 'disconnect 1', 'connect 2'])
})

it('believes a new connection, at first and after another one', async () => {
  const { offsets, happened } = scene()
  await expect(offsets.ask(failing(1))).rejects.toBe(missing)
  expect(happened).toEqual(['connect 1'])
  await expect(offsets.ask(failing(2))).rejects.toBe(missing)
  expect(happened).toEqual(['connect 1', 'disconnect 1', 'connect 2'])
})

it('tells every other error at once', async () => {
  const { offsets, happened } = scene()
  await offsets.ask(numberOf)
  const other = Object.assign(new Error('slow'), { type: 'REQUEST_TIMED_OUT' })
  await expect(offsets.ask(failing(1, other))).rejects.toBe(other)
  expect(happened).toEqual(['connect 1'])
})

it('connects anew after a connection that failed', async () => {
  const { offsets, refused } = scene()
  refused.add(1)
  await expect(offsets.ask(numberOf)).rejects.toThrow('refused')
  expect(await offsets.ask(numberOf)).toBe(2)
})
