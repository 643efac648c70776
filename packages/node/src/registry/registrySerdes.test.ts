import { Consumed, fromHex, Headers, Produced, type Serde, StreamsBuilder, string, toHex } from '@lanescope/core'
import { TopologyTestDriver } from '@lanescope/core/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { RegistryServer } from '../../test/RegistryServer.js'
import { avroSerde } from './avroSerde.js'
import { jsonSchemaSerde } from './jsonSchemaSerde.js'
import { protobufSerde } from './protobufSerde.js'
import { SchemaRegistry } from './SchemaRegistry.js'

let server: RegistryServer
let registry: SchemaRegistry
beforeEach(async () => {
  server = await RegistryServer.start()
  registry = new SchemaRegistry({ url: server.url, backoffMs: 1 })
})
afterEach(() => server.stop())

const none = Headers.empty
const write = (serde: Serde<any>, value: unknown, topic = 'orders') => toHex(serde.serialize(topic, none, value))
const read = (serde: Serde<any>, hex: string, headers = none) => serde.deserialize('orders', headers, fromHex(hex))

const orderV1 = { type: 'record', name: 'Order', namespace: 'shop', fields: [{ name: 'id', type: 'string' }] }
const orderV2 = { ...orderV1, fields: [...orderV1.fields, { name: 'amount', type: 'long', default: 7 }] }

describe('the wire format (F.4)', () => {
  it('is a zero byte, the id, and the value', async () => {
    const serde = await avroSerde(registry, { topics: ['t'], schema: '"string"', side: 'key', register: true })
    expect(server.requests[0]).toBe('POST /subjects/t-key/versions')
    expect(write(serde, 'k1')).toBe('0000000001046b31')
    expect(read(serde, '0000000001046b31')).toBe('k1')
    expect(serde.id).toBe('avro(1)')
  })

  it('refuses what carries no id, and says what it is', async () => {
    const serde = await avroSerde(registry, { topics: ['t'], schema: '"string"', register: true })
    expect(() => read(serde, '6b31')).toThrow('Unknown magic byte! 2 bytes that begin with 6b31')
    expect(() => read(serde, '00000001')).toThrow('Unknown magic byte!')
    expect(serde.prepare?.(fromHex('6b31'), none)).toBeUndefined()
  })

  it.each(['key', 'value'] as const)(
    'reads the id from the header of the %s, then the bytes have no prefix',
    async (side) => {
      const other = server.add('elsewhere', { schema: '"int"' })
      const serde = await avroSerde(registry, { topics: ['t'], schema: '"string"', side, register: true })
      const guid = (id: number) => fromHex(`01${RegistryServer.guid(id).replaceAll('-', '')}`)
      const headers = none.with(`__${side}_schema_id`, guid(other + 1))
      await serde.prepare?.(fromHex('046b31'), headers)
      expect(read(serde, '046b31', headers)).toBe('k1')
      const otherSide = side === 'key' ? 'value' : 'key'
      expect(() => read(serde, '046b31', none.with(`__${otherSide}_schema_id`, guid(2)))).toThrow('Unknown magic byte!')
      expect(read(serde, '0000000002046b31', none.with(`__${side}_schema_id`, null))).toBe('k1')
    },
  )
})

describe('schemas of others', () => {
  it('are fetched before a record is read, once', async () => {
    server.add('orders-value', { schema: JSON.stringify(orderV2) })
    const serde = await avroSerde(registry, { topics: ['orders'] })
    const other = server.add('elsewhere', { schema: JSON.stringify({ ...orderV1, doc: 'of another producer' }) })
    const bytes = fromHex(`00${other.toString(16).padStart(8, '0')}0278`)
    expect(() => read(serde, toHex(bytes))).toThrow('call prepare before deserialize')
    await Promise.all([serde.prepare?.(bytes, none), serde.prepare?.(bytes, none)])
    expect(serde.prepare?.(bytes, none)).toBeUndefined()
    expect({ ...read(serde, toHex(bytes)) }).toEqual({ id: 'x', amount: 7 })
    expect(server.requests.filter((request) => request.includes('/schemas/ids/'))).toEqual([
      `GET /schemas/ids/${other}`,
    ])
  })

  it('that the registry does not have are refused, and asked for again', async () => {
    const serde = await avroSerde(registry, { topics: ['t'], schema: '"string"', register: true })
    await expect(serde.prepare?.(fromHex('0000000002'), none)).rejects.toMatchObject({ retriable: false })
    expect(() => read(serde, '0000000002046b31')).toThrow(/schema of id 2 is not known.*is this the registry/)
    server.add('elsewhere', { schema: '{"type":"string","doc":"x"}' })
    await serde.prepare?.(fromHex('0000000002'), none)
    expect(read(serde, '0000000002046b31')).toBe('k1')
  })

  it('in another language or that do not fit are refused', async () => {
    const serde = await avroSerde(registry, { topics: ['t'], schema: '"string"', register: true })
    server.add('x', { schema: '{}', schemaType: 'JSON' })
    server.add('y', { schema: '"int"' })
    await expect(serde.prepare?.(fromHex('0000000002'), none)).rejects.toThrow('a schema of JSON')
    await expect(serde.prepare?.(fromHex('0000000003'), none)).rejects.toThrow('cannot read')
    expect(() => read(serde, '000000000300')).toThrow('cannot read')
  })

  it('of its own subjects are known from the start, so that state is read after a change', async () => {
    const first = await avroSerde(registry, { topics: ['app-store-changelog'], schema: orderV1, register: true })
    const old = write(first, { id: 'x' }, 'app-store-changelog')
    const second = await avroSerde(new SchemaRegistry({ url: server.url }), {
      topics: ['app-store-changelog'],
      schema: orderV2,
      register: true,
    })
    expect({ ...read(second, old) }).toEqual({ id: 'x', amount: 7 })
    expect([first.id, second.id]).toEqual(['avro(1)', 'avro(2)'])
  })
})

describe('subjects', () => {
  const subjects = () =>
    server.requests.filter((request) => request.startsWith('POST')).map((request) => request.split('/')[2])

  it.each([
    [undefined, ['a-value', 'b-value']],
    ['record', ['shop.Order']],
    ['topic-record', ['a-shop.Order', 'b-shop.Order']],
    [
      (topic: string, side: string, record: string) => `${side}.${topic}.${record}`,
      ['value.a.shop.Order', 'value.b.shop.Order'],
    ],
  ] as const)('are named by topic unless told otherwise: %s', async (subject, wanted) => {
    await avroSerde(registry, { topics: ['a', 'b'], schema: orderV1, register: true, ...(subject && { subject }) })
    expect(subjects()).toEqual(wanted)
  })

  it('must have the schema, unless it may be registered', async () => {
    await expect(avroSerde(registry, { topics: ['a'], schema: orderV1 })).rejects.toThrow('register: true')
    server.add('a-value', { schema: JSON.stringify(orderV1) })
    expect((await avroSerde(registry, { topics: ['a'], schema: orderV1 })).id).toBe('avro(1)')
    await expect(avroSerde(registry, { topics: ['a'], schema: orderV2 })).rejects.toMatchObject({
      code: 'REGISTRY_REFUSED',
    })
  })

  it("give the first topic's id to topics that are not named", async () => {
    server.add('other', { schema: '"int"' })
    const serde = await avroSerde(registry, { topics: ['a'], schema: '"string"', register: true })
    expect(write(serde, 'k1', 'boundary')).toBe('0000000002046b31')
  })

  it('at least one topic is needed', async () => {
    await expect(avroSerde(registry, { topics: [], schema: '"string"' })).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
    })
  })
})

describe('Avro', () => {
  it('takes named types from references, and refuses what does not fit', async () => {
    server.add('shop.Order', { schema: JSON.stringify(orderV1) })
    const references = [{ name: 'shop.Order', subject: 'shop.Order', version: 1 }]
    const schema = { type: 'record', name: 'Line', fields: [{ name: 'order', type: 'shop.Order' }] }
    const serde = await avroSerde(registry, { topics: ['lines'], schema, references, register: true })
    expect(read(serde, write(serde, { order: { id: 'x' } })).order.id).toBe('x')
    expect(() => write(serde, { order: { id: 5 } })).toThrow('invalid "string": 5')
    await expect(avroSerde(registry, { topics: ['t'], schema: '{"type":"no such"}' })).rejects.toThrow('no Avro schema')
  })
})

describe('JSON Schema', () => {
  const schema = { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] }

  it('writes plain JSON after the prefix, and holds values to the schema both ways', async () => {
    const serde = await jsonSchemaSerde(registry, { topics: ['orders'], schema, register: true })
    const bytes = write(serde, { id: 'x' })
    expect(bytes).toBe(`0000000001${toHex(new TextEncoder().encode('{"id":"x"}'))}`)
    expect(read(serde, bytes)).toEqual({ id: 'x' })
    expect(() => write(serde, {})).toThrow("must have required property 'id'")
    expect(() => read(serde, `0000000001${toHex(new TextEncoder().encode('{"id":1}'))}`)).toThrow('must be string')
    const lax = await jsonSchemaSerde(registry, { topics: ['orders'], schema, validate: false })
    expect(read(lax, write(lax, { other: 1 }))).toEqual({ other: 1 })
  })

  it.each([
    'http://json-schema.org/draft-07/schema#',
    'https://json-schema.org/draft/2019-09/schema',
    'https://json-schema.org/draft/2020-12/schema',
  ])('knows the draft %s, and references', async ($schema) => {
    server.add('id', { schema: JSON.stringify({ $schema, type: 'integer' }), schemaType: 'JSON' })
    const serde = await jsonSchemaSerde(registry, {
      topics: ['orders'],
      schema: { $schema, type: 'object', properties: { id: { $ref: 'id.json' } } },
      references: [{ name: 'id.json', subject: 'id', version: 1 }],
      register: true,
    })
    expect(read(serde, write(serde, { id: 5 }))).toEqual({ id: 5 })
    expect(() => write(serde, { id: 'x' })).toThrow('must be integer')
  })
})

describe('Protobuf', () => {
  const schema = `syntax = "proto3"; package shop;
    import "google/protobuf/timestamp.proto";
    message Order { string id = 1; int64 amount = 2; State state = 3; google.protobuf.Timestamp at = 4; repeated string tags = 5; }
    message Outer { message First { int32 a = 1; } message Second { int32 b = 1; } }
    enum State { NEW = 0; PAID = 1; }`

  it('tells which message follows: one zero byte for the first', async () => {
    const serde = await protobufSerde(registry, { topics: ['orders'], schema, register: true })
    expect(write(serde, { id: 'x', amount: '9007199254740993', state: 'PAID' })).toBe(
      '0000000001000a0178108180808080808010' + '1801',
    )
    expect(read(serde, write(serde, { id: 'x', state: 'PAID', tags: ['a'] }))).toEqual({
      id: 'x',
      amount: '0',
      state: 'PAID',
      at: null,
      tags: ['a'],
    })
  })

  it('and indexes for one that is within another', async () => {
    const serde = await protobufSerde(registry, { topics: ['orders'], schema, message: 'Outer.Second', register: true })
    expect(write(serde, { b: 5 })).toBe('0000000001040202' + '0805')
    expect(read(serde, '00000000010402020805')).toEqual({ b: 5 })
    expect(() => read(serde, '0000000001000a0178')).toThrow(
      'It is a message shop.Order, and is read as shop.Outer.Second',
    )
    await expect(protobufSerde(registry, { topics: ['t'], schema, message: 'None' })).rejects.toThrow(
      'It has shop.Order, shop.Outer',
    )
  })

  it('reads what a newer producer wrote, without the fields that it does not know', async () => {
    const serde = await protobufSerde(registry, {
      topics: ['orders'],
      schema,
      message: 'shop.Outer.First',
      register: true,
    })
    const newer = schema
      .replace('message Order {', 'message Added { } message Order {')
      .replace('int32 a = 1;', 'int32 a = 1; int32 c = 2;')
    server.add('orders-value', { schema: newer, schemaType: 'PROTOBUF' })
    const bytes = '0000000002' + '040400' + '08011002'
    await serde.prepare?.(fromHex(bytes), none)
    expect(read(serde, bytes)).toEqual({ a: 1 })
  })

  it('refuses values that are no message, and files that are none', async () => {
    const serde = await protobufSerde(registry, { topics: ['orders'], schema, message: 'Outer.First', register: true })
    expect(() => write(serde, { a: {} })).toThrow('This is no shop.Outer.First: a is no int32.')
    expect(() => write(serde, { a: 2 ** 31 })).toThrow('a is no int32')
    expect(() => write(serde, { b: 1 })).toThrow('shop.Outer.First has no field "b"')
    expect(() => write(serde, 5)).toThrow('it is no object')
    await expect(protobufSerde(registry, { topics: ['t'], schema: 'message' })).rejects.toThrow('no Protobuf schema')
  })

  it('holds every kind of field to its type', async () => {
    const serde = await protobufSerde(registry, {
      topics: ['orders'],
      schema: `syntax = "proto3"; message All { uint32 u = 1; sint64 l = 2; bool b = 3; bytes y = 4; double d = 5;
        map<string, int32> m = 6; repeated All r = 7; Kind k = 8; string s = 9; enum Kind { A = 0; B = 1; } }`,
      register: true,
    })
    const good = {
      u: 4294967295,
      l: -3,
      b: true,
      y: Uint8Array.of(1),
      d: 1.5,
      m: { x: 1 },
      r: [{ s: 'in' }],
      k: 1,
      s: 'a',
    }
    expect(read(serde, write(serde, good))).toMatchObject({ u: 4294967295, l: '-3', m: { x: 1 }, k: 'B', s: 'a' })
    for (const [value, problem] of [
      [{ u: -1 }, 'u is no uint32'],
      [{ l: 2 ** 53 }, 'l is no sint64'],
      [{ l: '1x' }, 'l is no sint64'],
      [{ b: 1 }, 'b is no bool'],
      [{ y: 'x' }, 'y is no bytes'],
      [{ d: '1' }, 'd is no double'],
      [{ m: 5 }, 'm is no object'],
      [{ m: { x: 'a' } }, 'm.x is no int32'],
      [{ r: {} }, 'r is no array'],
      [{ r: [{}, { s: 5 }] }, 'r[1].s is no string'],
      [{ k: 'C' }, 'k is none of A, B'],
      [{ k: 2 }, 'k is none of A, B'],
    ] as const) {
      expect(() => write(serde, value)).toThrow(problem)
    }
    expect(read(serde, write(serde, { s: null, k: undefined })).s).toBe('')
  })

  it('takes imported files from references', async () => {
    server.add('state.proto', {
      schema: 'syntax = "proto3"; package shop; message Money { int32 cents = 1; }',
      schemaType: 'PROTOBUF',
    })
    const serde = await protobufSerde(registry, {
      topics: ['orders'],
      schema: 'syntax = "proto3"; package shop; import "money.proto"; message Bill { Money sum = 1; }',
      references: [{ name: 'money.proto', subject: 'state.proto', version: 1 }],
      register: true,
    })
    expect(write(serde, { sum: { cents: 3 } })).toBe('0000000002000a020803')
    expect(read(serde, '0000000002000a020803')).toEqual({ sum: { cents: 3 } })
  })
})

describe('in a topology', () => {
  it('a record of an unknown schema waits for it, and is read', async () => {
    const serde = await avroSerde(registry, { topics: ['out'], schema: orderV2, register: true })
    const producer = await avroSerde(new SchemaRegistry({ url: server.url }), {
      topics: ['in'],
      schema: orderV1,
      register: true,
    })
    const builder = new StreamsBuilder()
    builder.stream('in', Consumed.with(string, serde)).to('out', Produced.with(string, serde))
    const driver = new TopologyTestDriver(builder.build())
    await driver.createInputTopic('in', string, producer).pipeInput('k', { id: 'x' }, 1)
    const [value] = driver.createOutputTopic('out', string, serde).readValuesToList()
    expect({ ...(value as object) }).toEqual({ id: 'x', amount: 7 })
  })
})
