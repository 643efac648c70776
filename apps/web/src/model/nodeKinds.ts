import type { DocumentNode } from '@lanescope/shared'

/** What a person adds from the palette. Two of them are processors to the document. */
export type PaletteKind = 'source' | 'processor' | 'timer-processor' | 'windowed-count' | 'sink'

export interface KindFacts {
  readonly kind: PaletteKind
  readonly label: string
  readonly group: 'Sources' | 'Stateful' | 'Processor' | 'Sinks'
  readonly glyph: 'source' | 'processor' | 'timer' | 'window' | 'sink'
  /** The line under the name in menus. */
  readonly hint: string
  /** The name a new one gets. */
  readonly baseName: string
}

export const NODE_KINDS: readonly KindFacts[] = [
  {
    kind: 'source',
    label: 'Topic',
    group: 'Sources',
    glyph: 'source',
    hint: 'Reads records from topics',
    baseName: 'source',
  },
  {
    kind: 'windowed-count',
    label: 'Windowed count',
    group: 'Stateful',
    glyph: 'window',
    hint: 'Counts records of a key in tumbling windows',
    baseName: 'count',
  },
  {
    kind: 'processor',
    label: 'Processor',
    group: 'Processor',
    glyph: 'processor',
    hint: 'Your code, once a record',
    baseName: 'processor',
  },
  {
    kind: 'timer-processor',
    label: 'Timer processor',
    group: 'Processor',
    glyph: 'timer',
    hint: 'Your code, with timers of a key',
    baseName: 'timers',
  },
  { kind: 'sink', label: 'Topic', group: 'Sinks', glyph: 'sink', hint: 'Writes records to a topic', baseName: 'sink' },
]

export const PALETTE_GROUPS: readonly KindFacts['group'][] = ['Sources', 'Stateful', 'Processor', 'Sinks']

/** What the palette calls a node of the document. */
export function paletteKindOf(node: DocumentNode): PaletteKind {
  if (node.kind !== 'processor') return node.kind
  return node.properties.timers.length > 0 ? 'timer-processor' : 'processor'
}

export function kindFacts(kind: PaletteKind): KindFacts {
  return NODE_KINDS.find((facts) => facts.kind === kind) as KindFacts
}

/** In menus, where a source and a sink stand side by side. */
export function longLabel(facts: KindFacts): string {
  if (facts.kind === 'source') return 'Topic source'
  if (facts.kind === 'sink') return 'Topic sink'
  return facts.label
}

export const canFeed = (kind: PaletteKind): boolean => kind !== 'sink'
export const canBeFed = (kind: PaletteKind): boolean => kind !== 'source'
