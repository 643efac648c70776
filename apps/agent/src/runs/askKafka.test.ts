import { expect, it } from 'vitest'
import { askKafka } from './askKafka.js'

it('says nothing where brokers answer, and closes what it opened', async () => {
  let open = 0
  const connect = async () => {
    open++
    return {
      close: async () => {
        open--
      },
    }
  }
  expect(await askKafka('a:9092', connect)).toBeUndefined()
  expect(open).toBe(0)
})

it('names the address and the reason where none answers', async () => {
  const line = await askKafka('a:9', () => Promise.reject(new Error('No broker answers at a:9.')))
  expect(line).toBe('Kafka at a:9 cannot be used just now, and runs will fail until it can: No broker answers at a:9.')
})
