import type { RunSummary } from '@lanescope/shared'

/** Settings as people speak of them; another is called by its key. */
const SHORT: { readonly [key: string]: string } = {
  'timer.lane-affinity.guard': 'lane guard',
  'future-timestamp.guard': 'future guard',
}

/** `lane guard: warn` for each setting that holds for this run alone. */
export function overrideWords(overrides: RunSummary['overrides']): readonly string[] {
  return Object.entries(overrides ?? {}).map(([key, value]) => `${SHORT[key] ?? key}: ${String(value)}`)
}

/** The guards that a run uses and where each is from; `null` where the engine's own default holds. */
export function guardsOf(
  overrides: RunSummary['overrides'],
  config: { readonly [key: string]: unknown },
): readonly { readonly name: string; readonly value: string; readonly from: 'this run' | 'settings' | 'default' }[] {
  return Object.entries(GUARDS).map(([key, { name, unset }]) => {
    const own = overrides?.[key]
    if (own !== undefined) return { name, value: String(own), from: 'this run' }
    const set = config[key]
    return set === undefined ? { name, value: unset, from: 'default' } : { name, value: String(set), from: 'settings' }
  })
}

const GUARDS = {
  'timer.lane-affinity.guard': { name: 'Lane guard', unset: 'error' },
  'future-timestamp.guard': { name: 'Future guard', unset: 'reject' },
} as const
