import { describe, expect, it } from 'vitest'
import { readLogConfig } from './logConfig.js'

describe('The log that a configuration names', () => {
  it('is the embedded one, in its folder, unless servers are given', () => {
    expect(readLogConfig({})).toEqual({ kind: 'embedded', dir: '.lanescope/log' })
    expect(readLogConfig({ 'bootstrap.servers': '' })).toEqual({ kind: 'embedded', dir: '.lanescope/log' })
    expect(readLogConfig({ 'embedded.log.dir': 'data' })).toEqual({ kind: 'embedded', dir: 'data' })
  })

  it('is Kafka with all its servers', () => {
    expect(readLogConfig({ 'bootstrap.servers': 'a:1, [::1]:9092', 'application.id': 'app' })).toEqual({
      kind: 'kafka',
      servers: ['a:1', '[::1]:9092'],
      clientId: 'app',
      codec: 'none',
      exactlyOnce: true,
      transactionTimeoutMs: 10_000,
      security: {},
    })
    const listed = { 'bootstrap.servers': ['a:1', 'b:2'], 'client.id': 'c', 'producer.compression.type': 'zstd' }
    expect(readLogConfig(listed)).toMatchObject({ servers: ['a:1', 'b:2'], clientId: 'c', codec: 'zstd' })
    expect(readLogConfig({ 'bootstrap.servers': 'a:65535' })).toMatchObject({ servers: ['a:65535'] })
    const weaker = {
      'bootstrap.servers': 'a:1',
      'processing.guarantee': 'at_least_once',
      'producer.transaction.timeout.ms': 2000,
    }
    expect(readLogConfig(weaker)).toMatchObject({ exactlyOnce: false, transactionTimeoutMs: 2000 })
    const of = (guarantee: string) => readLogConfig({ 'bootstrap.servers': 'a:1', 'processing.guarantee': guarantee })
    for (const [guarantee, exactlyOnce] of [
      ['at-least-once', false],
      ['exactly-once', true],
      ['exactly_once_v2', true],
    ] as const)
      expect(of(guarantee)).toMatchObject({ exactlyOnce })
  })

  it.each([
    ['bootstrap.servers', { 'bootstrap.servers': 'localhost' }],
    ['bootstrap.servers', { 'bootstrap.servers': 'http://localhost:9092' }],
    ['bootstrap.servers', { 'bootstrap.servers': ' , ' }],
    ['producer.compression.type', { 'bootstrap.servers': 'a:1', 'producer.compression.type': 'rar' }],
    ['producer.transaction.timeout.ms', { 'bootstrap.servers': 'a:1', 'producer.transaction.timeout.ms': 999 }],
    ['producer.transaction.timeout.ms', { 'bootstrap.servers': 'a:1', 'producer.transaction.timeout.ms': '2s' }],
    ['bootstrap.servers', { 'bootstrap.servers': 'a:0' }],
    ['bootstrap.servers', { 'bootstrap.servers': 'a:1,b:65536' }],
    ['embedded.log.dir', { 'embedded.log.dir': '~/log' }],
    ['embedded.log.dir', { 'embedded.log.dir': 7 }],
    ['embedded.log.dir', { 'embedded.log.dir': '' }],
  ])('refuses a wrong %s and names it', (key, config) => {
    expect(() => readLogConfig(config)).toThrow(`"${key}" is`)
    expect(() => readLogConfig(config)).toThrow(expect.objectContaining({ code: 'CONFIG_INVALID', kind: 'user' }))
  })
})
