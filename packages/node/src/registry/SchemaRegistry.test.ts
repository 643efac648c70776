import { ManualClock } from '@lanescope/core'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { RegistryServer } from '../../test/RegistryServer.js'
import { SchemaRegistry, type SchemaRegistryOptions } from './SchemaRegistry.js'

let server: RegistryServer
beforeEach(async () => {
  server = await RegistryServer.start()
})
afterEach(() => server.stop())

const text = { schemaType: 'AVRO', schema: '"string"', references: [] } as const

function client(options: Partial<SchemaRegistryOptions> = {}): SchemaRegistry {
  return new SchemaRegistry({ url: server.url, backoffMs: 1, ...options })
}

describe('SchemaRegistry', () => {
  it('finds schemas by id, by GUID, by subject and version', async () => {
    server.add('s-value', { schema: '"int"' })
    const id = server.add('s-value', { schema: '{}', schemaType: 'JSON', references: [] })
    const registry = client()
    expect(await registry.byId(1)).toEqual({ schema: '"int"', schemaType: 'AVRO', references: [] })
    expect(await registry.byGuid(RegistryServer.guid(id))).toMatchObject({ schema: '{}', schemaType: 'JSON' })
    expect(await registry.latest('s-value')).toMatchObject({ id: 2, version: 2, subject: 's-value', schema: '{}' })
    expect(await registry.version('s-value', 1)).toMatchObject({ id: 1, version: 1 })
    expect(await registry.versions('s-value')).toEqual([1, 2])
    expect(await registry.versions('other')).toEqual([])
  })

  it('registers, and looks up what is registered', async () => {
    const registry = client()
    expect(await registry.register('a/b value', text)).toBe(1)
    expect(await registry.register('c-value', text)).toBe(1)
    expect(await registry.lookUp('a/b value', text)).toBe(1)
    expect(server.requests[0]).toBe('POST /subjects/a%2Fb%20value/versions')
    await expect(registry.lookUp('nobody', text)).rejects.toMatchObject({ code: 'REGISTRY_REFUSED', retriable: false })
  })

  it('asks once for what never changes, and each time for what does', async () => {
    server.add('s-value', { schema: '"int"' })
    const registry = client()
    await Promise.all([registry.byId(1), registry.byId(1)])
    await registry.byId(1)
    await registry.version('s-value', 1)
    await registry.version('s-value', 1)
    await registry.latest('s-value')
    await registry.latest('s-value')
    expect(server.requests).toHaveLength(4)
  })

  it('asks again for what was refused', async () => {
    const registry = client()
    await expect(registry.byId(1)).rejects.toThrow('is this the registry that the producer uses?')
    server.add('s-value', { schema: '"int"' })
    expect(await registry.byId(1)).toMatchObject({ schema: '"int"' })
  })

  it.each([[[503, 500, 429]], [['broken', 'broken', 'broken']]] as const)(
    'tries four times while no answer settles it: %j',
    async (failures) => {
      server.add('s-value', { schema: '"int"' })
      server.failures.push(...failures)
      expect(await client().byId(1)).toMatchObject({ schema: '"int"' })
      expect(server.requests).toHaveLength(4)
    },
  )

  it('then gives up, and says that trying later may help', async () => {
    server.failures.push(503, 503, 503, 503, 503)
    await expect(client().byId(1)).rejects.toMatchObject({
      code: 'REGISTRY_UNAVAILABLE',
      kind: 'operational',
      retriable: true,
    })
    expect(server.requests).toHaveLength(4)
    await expect(client({ attempts: 1 }).byId(1)).rejects.toThrow('it answered 503')
  })

  it('does not try again what was refused, and says what to do', async () => {
    await expect(client().register('s', { ...text, schema: '"incompatible"' })).rejects.toThrow(
      /incompatible.* change it, or the subject's compatibility/,
    )
    await expect(client().latest('s')).rejects.toThrow('register: true')
    expect(server.requests).toHaveLength(2)
  })

  it('asks the next address when one is gone', async () => {
    server.add('s-value', { schema: '"int"' })
    const gone = await RegistryServer.start()
    const { url } = gone
    await gone.stop()
    const registry = client({ url: [url, `${server.url}/`] })
    expect(await registry.byId(1)).toMatchObject({ schema: '"int"' })
    await registry.latest('s-value')
    expect(server.requests).toEqual(['GET /schemas/ids/1', 'GET /subjects/s-value/versions/latest'])
  })

  it('waits between attempts by its clock, twice as long each time, and gives each one a time limit', async () => {
    const clock = new ManualClock()
    const never: typeof fetch = (_input, init) =>
      new Promise((_resolve, reject) => {
        init?.signal?.addEventListener('abort', () => reject(init.signal?.reason))
      })
    const registry = client({ clock, fetch: never, attempts: 3, backoffMs: 100, timeoutMs: 1000 })
    const outcome = registry.byId(1).then(
      () => 'answered',
      (error: Error) => error.message,
    )
    for (const ms of [1000, 100, 1000, 200, 1000]) {
      clock.advance(ms)
      for (let turn = 0; turn < 10; turn++) await Promise.resolve()
    }
    expect(await outcome).toContain('in 3 attempts: no answer came within 1000 ms')
    expect(clock.now()).toBe(3300)
  })

  it('carries user and password, or headers of your own', async () => {
    server.add('s-value', { schema: '"int"' })
    server.auth = 'me:secret'
    await expect(client().byId(1)).rejects.toThrow('Give SchemaRegistry the user and password')
    expect(await client({ auth: { user: 'me', password: 'secret' } }).byId(1)).toMatchObject({ schema: '"int"' })
    await client({ headers: { authorization: `Basic ${btoa('me:secret')}`, 'x-tenant': 't' } }).byId(1)
    expect(server.headers['x-tenant']).toBe('t')
  })

  it.each(['', 'registry:8081', 'ftp://registry'])('is not made of the address %j', (url) => {
    expect(() => new SchemaRegistry({ url })).toThrow('no address of a Schema Registry')
  })
})
