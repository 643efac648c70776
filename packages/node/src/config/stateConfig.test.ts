import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readStateConfig } from './stateConfig.js'

describe('the configuration of state', () => {
  it('keeps state in memory on the embedded log, where no folder is given', () => {
    expect(readStateConfig({}, 'app')).toBeUndefined()
    expect(readStateConfig({ 'state.cache.max.bytes': 1 }, 'app')).toBeUndefined()
    expect(readStateConfig({ 'bootstrap.servers': '' }, 'app')).toBeUndefined()
  })

  it('keeps it beside the project on Kafka, where no folder is given', () => {
    expect(readStateConfig({ 'bootstrap.servers': 'localhost:9092' }, 'app')).toEqual({
      folder: join('.lanescope', 'state', 'app'),
      cacheBytes: 67_108_864,
      bufferBytes: 33_554_432,
    })
  })

  it('keeps it in memory on Kafka too when told to', () => {
    const config = { 'bootstrap.servers': 'localhost:9092', 'state.dir': ':memory:' }
    expect(readStateConfig(config, 'app')).toBeUndefined()
  })

  it('gives each application a folder of its own', () => {
    expect(readStateConfig({ 'state.dir': 'data' }, 'app')).toEqual({
      folder: join('data', 'app'),
      cacheBytes: 67_108_864,
      bufferBytes: 33_554_432,
    })
    expect(readStateConfig({ 'state.dir': 'data', 'state.buffer.max.bytes': '1' }, 'app')?.bufferBytes).toBe(1)
    expect(readStateConfig({ 'state.dir': 'a/~b' }, 'app')?.folder).toBe(join('a', '~b', 'app'))
    expect(readStateConfig({ 'state.dir': '~b' }, 'app')?.folder).toBe(join('~b', 'app'))
    expect(readStateConfig({ 'state.dir': 'data', 'state.cache.max.bytes': 0 }, 'app')?.cacheBytes).toBe(0)
  })

  it.each([
    ['state.dir', ''],
    ['state.dir', 7],
    ['state.dir', ' '],
    ['state.dir', '~'],
    ['state.dir', '~/state'],
    ['state.cache.max.bytes', -1],
    ['state.cache.max.bytes', 1.5],
    ['state.cache.max.bytes', '64m'],
    ['state.buffer.max.bytes', 0],
    ['state.buffer.max.bytes', 'much'],
  ])('refuses a %s of %j by name', (key, value) => {
    expect(() => readStateConfig({ 'state.dir': 'data', [key]: value }, 'app')).toThrow(
      expect.objectContaining({
        code: 'CONFIG_INVALID',
        message: expect.stringContaining(`"${key}" is ${JSON.stringify(value)}`),
      }),
    )
  })
})
