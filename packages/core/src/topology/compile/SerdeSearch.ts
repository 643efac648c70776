import type { Serde } from '../../serde/Serde.js'
import type { ResolvedSerde, SerdeCandidate, SerdeDeclaration } from '../CompiledTopology.js'
import type { WindowedForm } from '../NodeDefinition.js'

/** A serde that some call declares, and the node at which the call stands. */
export interface FoundSerde {
  readonly serde: Serde<any>
  readonly by: SerdeDeclaration
  readonly node?: string
  /** The inner serde's id when keys are windowed. */
  readonly innerId?: string
}

/** What a walk along the records' path came upon. */
export interface SerdeSearch {
  readonly found: readonly FoundSerde[]
  readonly notes: readonly SerdeCandidate[]
  /** Set when the walk passed a windowed aggregation: keys here carry a window, written in this form. */
  readonly windowed?: WindowedForm
}

export const nothing: SerdeSearch = { found: [], notes: [] }

export function foundOne(found: FoundSerde): SerdeSearch {
  return { found: [found], notes: [] }
}

export function combine(searches: readonly SerdeSearch[]): SerdeSearch {
  const windowed = searches.find((search) => search.windowed !== undefined)?.windowed
  return {
    found: searches.flatMap((search) => search.found),
    notes: searches.flatMap((search) => search.notes),
    ...(windowed !== undefined && { windowed }),
  }
}

/** Several declarations agree when their serdes write the same bytes, that is, have one id. */
export function agreed(search: SerdeSearch): FoundSerde | undefined {
  const [first, ...others] = search.found
  return first !== undefined && others.every((other) => other.serde.id === first.serde.id) ? first : undefined
}

/** The rows of the panel, in the order in which they are looked at (T4). */
const rows: readonly Exclude<
  SerdeDeclaration,
  'Joined' | 'store' | 'deserializer' | 'default.key.serde' | 'default.value.serde'
>[] = ['Consumed', 'Grouped', 'Repartitioned', 'Produced', 'Materialized']

export interface Resolution {
  /** Looked at one after the other; the first that agrees with itself wins. One that does not ends the search (B2). */
  readonly searches: readonly SerdeSearch[]
  readonly fallback: FoundSerde | undefined
  readonly fallbackKey: 'default.key.serde' | 'default.value.serde'
  /** Nodes at which a declaration counts as made right here. */
  readonly here: readonly string[]
}

/** Chooses a serde and says, row by row, why it was this one. */
export function resolve({ searches, fallback, fallbackKey, here }: Resolution): ResolvedSerde {
  const decisive = searches.find((search) => search.found.length > 0)
  const chosen = (decisive && agreed(decisive)) ?? fallback
  const candidates = explain(searches, decisive, chosen, fallbackKey)
  if (chosen === undefined) return { status: 'unresolved', label: '?', candidates }
  const isDefault = chosen.by === fallbackKey
  return {
    status: isDefault
      ? 'defaulted'
      : chosen.node !== undefined && here.includes(chosen.node)
        ? 'declared'
        : 'inherited',
    serde: chosen.serde,
    deserializer: chosen.serde,
    serializer: chosen.serde,
    label: chosen.innerId ?? chosen.serde.id,
    by: chosen.by,
    ...(chosen.node !== undefined && { node: chosen.node }),
    ...(chosen.innerId !== undefined && { windowed: true as const }),
    candidates,
  }
}

function explain(
  searches: readonly SerdeSearch[],
  decisive: SerdeSearch | undefined,
  chosen: FoundSerde | undefined,
  fallbackKey: 'default.key.serde' | 'default.value.serde',
): SerdeCandidate[] {
  const conflicting = decisive !== undefined && agreed(decisive) === undefined ? decisive.found : []
  const notes = searches.flatMap((search) => search.notes)
  const usedRow = chosen === undefined ? undefined : rowOf(chosen.by)
  // Joins are rare, so their row is there only when one of them has a say.
  const joins = usedRow === 'Joined' || conflicting.some(({ by }) => by === 'Joined')
  const listed = [...rows, ...(joins ? (['Joined'] as const) : [])].flatMap((by): SerdeCandidate[] => {
    const clashes = conflicting.filter((found) => rowOf(found.by) === by)
    if (clashes.length > 0) return clashes.map((found) => candidateOf(by, found, 'conflicting'))
    if (by === usedRow && chosen !== undefined) return [candidateOf(by, chosen, 'used')]
    const note = notes.find((candidate) => candidate.by === by)
    if (note !== undefined) return [note]
    return [{ by, verdict: by === 'Materialized' ? 'no-store-upstream' : 'none-on-path' }]
  })
  const last: SerdeCandidate =
    chosen?.by === fallbackKey
      ? candidateOf(fallbackKey, chosen, 'used')
      : { by: fallbackKey, verdict: chosen === undefined ? 'not-declared' : 'not-reached' }
  return [...listed, last]
}

/** A byte-array deserializer declares in the place of `Consumed`, a store's builder in that of `Materialized`. */
function rowOf(by: SerdeDeclaration): SerdeDeclaration {
  if (by === 'deserializer') return 'Consumed'
  return by === 'store' ? 'Materialized' : by
}

function candidateOf(by: SerdeDeclaration, found: FoundSerde, verdict: 'used' | 'conflicting'): SerdeCandidate {
  return { by, ...(found.node !== undefined && { node: found.node }), verdict, serdeId: found.serde.id }
}
