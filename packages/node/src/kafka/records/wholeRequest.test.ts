import { createRequire } from 'node:module'
import { describe, expect, it } from 'vitest'
import { wholeRequest } from './wholeRequest.js'

const require = createRequire(import.meta.url)
const theirs = require('kafkajs/src/protocol/request.js') as typeof wholeRequest
const Encoder = require('kafkajs/src/protocol/encoder.js') as new () => {
  writeString(text: string): { readonly buffer: Buffer }
}

describe('A request', () => {
  it('is the same bytes as kafkajs would send, of an encoder or of parts', async () => {
    const payload = new Encoder().writeString('what is asked for')
    const about = { correlationId: 77, clientId: 'clïent' }
    const request = (encode: () => Promise<{ buffer: Buffer }>) => ({
      ...about,
      request: { apiKey: 3, apiVersion: 6, encode },
    })
    const { buffer } = await wholeRequest(request(async () => payload))
    expect(buffer.equals((await theirs(request(async () => payload))).buffer)).toBe(true)
    const parts = [payload.buffer.subarray(0, 4), payload.buffer.subarray(4)]
    const inParts = { ...about, request: { apiKey: 3, apiVersion: 6, encode: async () => ({ parts }) } }
    expect((await wholeRequest(inParts)).buffer.equals(buffer)).toBe(true)
  })
})
