import type { SideDeclaration } from '@lanescope/shared'
import { expect, it } from 'vitest'
import { ownType, retyped } from './retyped.js'

const json = (type: string) => ({ kind: 'json', type }) as const
const STRING = { kind: 'built-in', name: 'string' } as const

it.each<[string, SideDeclaration, SideDeclaration]>([
  ['a JSON serde of the type', { form: 'serde', serde: json('Event') }, { form: 'serde', serde: json('Order') }],
  [
    'a JSON deserializer of the type',
    { form: 'deserializer', deserializer: json('Event') },
    { form: 'deserializer', deserializer: json('Order') },
  ],
])('takes %s along when the type changes', (_, before, after) => {
  expect(retyped(before, 'Event', 'Order')).toEqual(after)
})

it.each<[string, SideDeclaration]>([
  ['JSON of another type', { form: 'serde', serde: json('EventV2') }],
  ['a built-in serde', { form: 'serde', serde: STRING }],
  ['a built-in deserializer', { form: 'deserializer', deserializer: STRING }],
  ['nothing declared', { form: 'default' }],
])('leaves %s as it is', (_, side) => {
  expect(retyped(side, 'Event', 'Order')).toEqual(side)
})

it.each([
  ['string', 'string'],
  ['long', 'number'],
  ['bigint', 'bigint'],
  ['boolean', 'boolean'],
  ['bytes', 'Uint8Array'],
  ['void', 'never'],
] as const)('says the type of %s, which is %s whoever reads', (name, type) => {
  expect(ownType({ form: 'serde', serde: { kind: 'built-in', name } })).toBe(type)
  expect(ownType({ form: 'deserializer', deserializer: { kind: 'built-in', name } })).toBe(type)
})

it('leaves the type to people with JSON, a serde of their own, and the default', () => {
  const custom = { kind: 'custom', code: { module: './serdes', export: 'mine' } } as const
  expect(ownType({ form: 'serde', serde: json('Event') })).toBeUndefined()
  expect(ownType({ form: 'serde', serde: custom })).toBeUndefined()
  expect(ownType({ form: 'default' })).toBeUndefined()
})
