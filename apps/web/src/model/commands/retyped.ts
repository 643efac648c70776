import type { SerdeRef, SideDeclaration } from '@lanescope/shared'

/** A JSON serde of the side's type follows it; one of another type was chosen so and stays. */
export function retyped(side: SideDeclaration, before: string, after: string): SideDeclaration {
  const follow = (serde: SerdeRef): SerdeRef =>
    serde.kind === 'json' && serde.type === before ? { kind: 'json', type: after } : serde
  if (side.form === 'serde') return { form: 'serde', serde: follow(side.serde) }
  if (side.form === 'deserializer') return { form: 'deserializer', deserializer: follow(side.deserializer) }
  return side
}

/** The TypeScript type that a side's serde gives by itself; undefined where people say it. */
export function ownType(side: SideDeclaration): string | undefined {
  const serde = side.form === 'serde' ? side.serde : side.form === 'deserializer' ? side.deserializer : undefined
  return serde?.kind === 'built-in' ? TYPES[serde.name] : undefined
}

const TYPES: { readonly [name in Extract<SerdeRef, { kind: 'built-in' }>['name']]: string } = {
  string: 'string',
  long: 'number',
  bigint: 'bigint',
  integer: 'number',
  short: 'number',
  double: 'number',
  float: 'number',
  boolean: 'boolean',
  byteArray: 'Uint8Array',
  bytes: 'Uint8Array',
  byteBuffer: 'Uint8Array',
  uuid: 'string',
  void: 'never',
}

/** The TypeScript type that a serde gives; undefined for one of the user's own. */
export function typeOfSerde(serde: SerdeRef): string | undefined {
  if (serde.kind === 'json') return serde.type
  return serde.kind === 'built-in' ? TYPES[serde.name] : undefined
}
