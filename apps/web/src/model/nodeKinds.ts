import type { CodeRef, DocumentNode } from '@lanescope/shared'
import type { GlyphName } from '../ui/Glyph.js'

/** What a person adds from the palette. Several of them are one kind to the document. */
export type PaletteKind =
  | 'source'
  | 'table'
  | 'filter'
  | 'map-values'
  | 'flat-map-values'
  | 'select-key'
  | 'peek'
  | 'merge'
  | 'through'
  | 'count'
  | 'windowed-count'
  | 'session-count'
  | 'sliding-count'
  | 'stream-join'
  | 'lookup-join'
  | 'table-join'
  | 'suppress'
  | 'processor'
  | 'timer-processor'
  | 'sink'

export type PaletteGroup = 'Sources' | 'Stateless' | 'Stateful' | 'Processor' | 'Sinks'

export interface KindFacts {
  readonly kind: PaletteKind
  readonly label: string
  readonly group: PaletteGroup
  readonly glyph: GlyphName
  /** The line under the name in menus. */
  readonly hint: string
  /** The name a new one gets. */
  readonly baseName: string
  /** The meaning that its drawing has the colour of. */
  readonly tone?: 'timer' | 'segment'
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
    kind: 'table',
    label: 'Table',
    group: 'Sources',
    glyph: 'table',
    hint: 'Reads a topic as a table: the newest value of each key',
    baseName: 'table',
  },
  {
    kind: 'filter',
    label: 'Filter',
    group: 'Stateless',
    glyph: 'filter',
    hint: 'Keeps the records that your function holds for',
    baseName: 'filter',
  },
  {
    kind: 'map-values',
    label: 'Map',
    group: 'Stateless',
    glyph: 'map',
    hint: 'Makes another value of each; keys stay, and so do lanes',
    baseName: 'map',
  },
  {
    kind: 'flat-map-values',
    label: 'Flat map',
    group: 'Stateless',
    glyph: 'flatMap',
    hint: 'Makes several values of one, or none',
    baseName: 'flat-map',
  },
  {
    kind: 'select-key',
    label: 'Re-key',
    group: 'Stateless',
    glyph: 'rekey',
    hint: 'Gives each record another key: what groups it then crosses lanes',
    baseName: 're-key',
  },
  {
    kind: 'peek',
    label: 'Peek',
    group: 'Stateless',
    glyph: 'peek',
    hint: 'Looks at what passes, and lets it pass',
    baseName: 'peek',
  },
  {
    kind: 'merge',
    label: 'Merge',
    group: 'Stateless',
    glyph: 'merge',
    hint: 'Several streams as one',
    baseName: 'merge',
  },
  {
    kind: 'through',
    label: 'Through a topic',
    group: 'Stateless',
    glyph: 'through',
    hint: 'Writes to a topic, and goes on with what is read from it',
    baseName: 'through',
  },
  {
    kind: 'count',
    label: 'Count',
    group: 'Stateful',
    glyph: 'sum',
    hint: 'Counts the records of each key, for ever',
    baseName: 'count',
  },
  {
    kind: 'windowed-count',
    label: 'Windowed count',
    group: 'Stateful',
    glyph: 'window',
    hint: 'Counts records of a key in windows of one length, tumbling or hopping',
    baseName: 'count',
    tone: 'segment',
  },
  {
    kind: 'session-count',
    label: 'Session count',
    group: 'Stateful',
    glyph: 'session',
    hint: 'Counts records of a key until it is quiet for a while',
    baseName: 'sessions',
    tone: 'segment',
  },
  {
    kind: 'sliding-count',
    label: 'Sliding count',
    group: 'Stateful',
    glyph: 'sliding',
    hint: 'Counts records of a key that lie close together, a window for every set of them',
    baseName: 'recent',
    tone: 'segment',
  },
  {
    kind: 'stream-join',
    label: 'Stream join',
    group: 'Stateful',
    glyph: 'join',
    hint: 'Pairs records of two streams that have one key and lie close in time',
    baseName: 'join',
    tone: 'segment',
  },
  {
    kind: 'lookup-join',
    label: 'Stream–table join',
    group: 'Stateful',
    glyph: 'join',
    hint: 'Looks each record up in a table of the same keys',
    baseName: 'look-up',
  },
  {
    kind: 'table-join',
    label: 'Table join',
    group: 'Stateful',
    glyph: 'join',
    hint: 'Two tables of the same keys as one',
    baseName: 'table-join',
  },
  {
    kind: 'suppress',
    label: 'Suppress',
    group: 'Stateful',
    glyph: 'suppress',
    hint: 'Holds updates of a table back, until a window closes or for a time',
    baseName: 'final-only',
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
    tone: 'timer',
  },
  { kind: 'sink', label: 'Topic', group: 'Sinks', glyph: 'sink', hint: 'Writes records to a topic', baseName: 'sink' },
]

export const PALETTE_GROUPS: readonly PaletteGroup[] = ['Sources', 'Stateless', 'Stateful', 'Processor', 'Sinks']

export const JOIN_KINDS = {
  'stream-stream': 'stream-join',
  'stream-table': 'lookup-join',
  'table-table': 'table-join',
} as const

/** What the palette calls a node of the document. */
export function paletteKindOf(node: DocumentNode): PaletteKind {
  switch (node.kind) {
    case 'source':
      return node.properties.table === undefined ? 'source' : 'table'
    case 'processor':
      return node.properties.timers.length > 0 ? 'timer-processor' : 'processor'
    case 'transform':
      return node.properties.op
    case 'join':
      return JOIN_KINDS[node.properties.of]
    default:
      return node.kind
  }
}

/** The user's code that a node runs; undefined where it has none. */
export function codeOf(node: DocumentNode): CodeRef | undefined {
  return node.kind === 'processor' || node.kind === 'transform' || node.kind === 'join'
    ? node.properties.code
    : undefined
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
export const canBeFed = (kind: PaletteKind): boolean => kind !== 'source' && kind !== 'table'
