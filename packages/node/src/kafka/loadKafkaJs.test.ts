import { createRequire } from 'node:module'
import { describe, expect, it } from 'vitest'
import { loadKafkaJs } from './loadKafkaJs.js'

const require = createRequire(import.meta.url)

describe('The kafkajs of this adapter', () => {
  it('leaves the kafkajs of everybody else in the process as it is', () => {
    const theirs = require('kafkajs') as typeof import('kafkajs')
    const ours = loadKafkaJs()
    expect(ours.Kafka).not.toBe(theirs.Kafka)
    expect(() => theirs.CompressionCodecs[theirs.CompressionTypes.LZ4]?.()).toThrow(/not implemented/)
    expect(ours.CompressionCodecs[ours.CompressionTypes.LZ4]?.()).toHaveProperty('compress')
    expect(require('kafkajs')).toBe(theirs)
  })
})
