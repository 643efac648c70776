import type { Deserializer, Serde } from '../../serde/Serde.js'
import type { ResolvedSerde } from '../CompiledTopology.js'
import type { SideDeclaration } from '../Consumed.js'
import { declaredSerde } from './declaredSide.js'

type DefaultKey = 'default.key.serde' | 'default.value.serde'

/** How a source reads one side: all of it is known, or the default reads. */
export function readBy(
  side: SideDeclaration<any>,
  node: string,
  fallback: Serde<any> | undefined,
  fallbackKey: DefaultKey,
): ResolvedSerde {
  const declared = declaredSerde(side, node)
  if (declared !== undefined) return ofSerde('declared', declared.serde, { by: declared.by, node })
  if (side.form === 'deserializer') return ofDeserializer(side.deserializer, node)
  const candidates = [{ by: 'Consumed' as const, node, verdict: 'not-declared' as const }]
  if (fallback === undefined) return { status: 'unresolved', label: '?', candidates }
  return { ...ofSerde('defaulted', fallback, { by: fallbackKey }), candidates }
}

function ofDeserializer(deserializer: Deserializer<any>, node: string): ResolvedSerde {
  const label = deserializer.id ?? 'deserializer'
  const candidates = [{ by: 'deserializer' as const, node, verdict: 'used' as const, serdeId: label }]
  return { status: 'declared', deserializer, label, by: 'deserializer', node, candidates }
}

function ofSerde(
  status: 'declared' | 'defaulted',
  serde: Serde<any>,
  { by, node }: { by: ResolvedSerde['by'] & string; node?: string },
): ResolvedSerde {
  const at = node === undefined ? {} : { node }
  const candidates = [{ by, ...at, verdict: 'used' as const, serdeId: serde.id }]
  return { status, serde, deserializer: serde, serializer: serde, label: serde.id, by, ...at, candidates }
}

/** How a store of the Processor API writes one side: by its own serde, or the default. */
export function ofStore(
  own: Serde<any> | undefined,
  fallback: Serde<any> | undefined,
  fallbackKey: DefaultKey,
): ResolvedSerde {
  if (own !== undefined) return ofSerde('declared', own, { by: 'store' })
  if (fallback !== undefined) return ofSerde('defaulted', fallback, { by: fallbackKey })
  return { status: 'unresolved', label: '?', candidates: [{ by: 'store', verdict: 'not-declared' }] }
}
