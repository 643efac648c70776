import type { SerdeRef, SideDeclaration } from '@lanescope/shared'

/** A JSON serde of the side's type follows it; one of another type was chosen so and stays. */
export function retyped(side: SideDeclaration, before: string, after: string): SideDeclaration {
  const follow = (serde: SerdeRef): SerdeRef =>
    serde.kind === 'json' && serde.type === before ? { kind: 'json', type: after } : serde
  if (side.form === 'serde') return { form: 'serde', serde: follow(side.serde) }
  if (side.form === 'deserializer') return { form: 'deserializer', deserializer: follow(side.deserializer) }
  return side
}
