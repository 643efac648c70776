import { type CodeRef, type DocumentNode, type TopologyDocument, windowsOf } from '@lanescope/shared'
import type { GlyphName } from '../ui/Glyph.js'

/** What a person adds from the palette. Several of them are one kind to the document. */
export type PaletteKind =
  | 'source'
  | 'table'
  | 'global-table'
  | 'filter'
  | 'filter-not'
  | 'map-values'
  | 'map'
  | 'flat-map-values'
  | 'flat-map'
  | 'select-key'
  | 'branch'
  | 'merge'
  | 'peek'
  | 'repartition'
  | 'to-table'
  | 'through'
  | 'count'
  | 'windowed-count'
  | 'session-count'
  | 'sliding-count'
  | 'reduce'
  | 'aggregate'
  | 'cogroup'
  | 'suppress'
  | 'stream-join'
  | 'lookup-join'
  | 'global-join'
  | 'table-join'
  | 'foreign-join'
  | 'processor'
  | 'timer-processor'
  | 'sink'

export type PaletteGroup = 'Sources' | 'Stateless' | 'Aggregations' | 'Joins' | 'Processor' | 'Sinks'

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
    kind: 'global-table',
    label: 'Global table',
    group: 'Sources',
    glyph: 'globalTable',
    hint: 'All of a topic as a table, for streams of any key to look into',
    baseName: 'global-table',
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
    kind: 'filter-not',
    label: 'Filter not',
    group: 'Stateless',
    glyph: 'filterNot',
    hint: 'Leaves out the records that your function holds for',
    baseName: 'filter-not',
  },
  {
    kind: 'map-values',
    label: 'Map values',
    group: 'Stateless',
    glyph: 'map',
    hint: 'Makes another value of each; keys stay, and so do lanes',
    baseName: 'map',
  },
  {
    kind: 'map',
    label: 'Map',
    group: 'Stateless',
    glyph: 'mapBoth',
    hint: 'Makes another key and value of each: what groups it then crosses lanes',
    baseName: 'map-both',
  },
  {
    kind: 'flat-map-values',
    label: 'Flat map values',
    group: 'Stateless',
    glyph: 'flatMap',
    hint: 'Makes several values of one, or none; keys stay',
    baseName: 'flat-map',
  },
  {
    kind: 'flat-map',
    label: 'Flat map',
    group: 'Stateless',
    glyph: 'flatMapBoth',
    hint: 'Makes several records of one, or none, each with a key of its own',
    baseName: 'flat-map-both',
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
    kind: 'branch',
    label: 'Branch',
    group: 'Stateless',
    glyph: 'branch',
    hint: 'Splits a stream: each record into the first branch that it fits',
    baseName: 'branch',
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
    kind: 'peek',
    label: 'Peek',
    group: 'Stateless',
    glyph: 'peek',
    hint: 'Looks at what passes, and lets it pass',
    baseName: 'peek',
  },
  {
    kind: 'repartition',
    label: 'Repartition',
    group: 'Stateless',
    glyph: 'repartition',
    hint: 'Sends records to the lane of their key as it is by then',
    baseName: 'repartition',
  },
  {
    kind: 'to-table',
    label: 'To table',
    group: 'Stateless',
    glyph: 'toTable',
    hint: 'Takes a stream as a table: the newest value of each key',
    baseName: 'rows',
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
    group: 'Aggregations',
    glyph: 'count',
    hint: 'Counts the records of each key, for ever',
    baseName: 'count',
  },
  {
    kind: 'windowed-count',
    label: 'Windowed count',
    group: 'Aggregations',
    glyph: 'window',
    hint: 'Counts in windows of one length, tumbling or hopping; emits on update or on close',
    baseName: 'count',
    tone: 'segment',
  },
  {
    kind: 'session-count',
    label: 'Session count',
    group: 'Aggregations',
    glyph: 'session',
    hint: 'Counts records of a key until it is quiet for a while; emits on update or on close',
    baseName: 'sessions',
    tone: 'segment',
  },
  {
    kind: 'sliding-count',
    label: 'Sliding count',
    group: 'Aggregations',
    glyph: 'sliding',
    hint: 'Counts records of a key that lie close together, a window for every set of them',
    baseName: 'recent',
    tone: 'segment',
  },
  {
    kind: 'reduce',
    label: 'Reduce',
    group: 'Aggregations',
    glyph: 'reduce',
    hint: 'Combines the values of each key, two at a time, with or without windows',
    baseName: 'reduce',
  },
  {
    kind: 'aggregate',
    label: 'Aggregate',
    group: 'Aggregations',
    glyph: 'sum',
    hint: 'Adds records to a value of your own type for each key, with or without windows',
    baseName: 'aggregate',
  },
  {
    kind: 'cogroup',
    label: 'Cogroup',
    group: 'Aggregations',
    glyph: 'cogroup',
    hint: 'Aggregates several streams of one type of key together',
    baseName: 'cogroup',
  },
  {
    kind: 'suppress',
    label: 'Suppress',
    group: 'Aggregations',
    glyph: 'suppress',
    hint: 'Holds updates of a table back, until a window closes or for a time',
    baseName: 'final-only',
  },
  {
    kind: 'stream-join',
    label: 'Stream join',
    group: 'Joins',
    glyph: 'join',
    hint: 'Pairs records of two streams that have one key and lie close in time',
    baseName: 'join',
    tone: 'segment',
  },
  {
    kind: 'lookup-join',
    label: 'Stream–table join',
    group: 'Joins',
    glyph: 'join',
    hint: 'Looks each record up in a table of the same keys',
    baseName: 'look-up',
  },
  {
    kind: 'global-join',
    label: 'Global table join',
    group: 'Joins',
    glyph: 'globalJoin',
    hint: 'Looks each record up in a global table, by a key that your function finds',
    baseName: 'look-up',
  },
  {
    kind: 'table-join',
    label: 'Table join',
    group: 'Joins',
    glyph: 'join',
    hint: 'Two tables of the same keys as one',
    baseName: 'table-join',
  },
  {
    kind: 'foreign-join',
    label: 'Foreign-key join',
    group: 'Joins',
    glyph: 'keyJoin',
    hint: 'Rows of a table with those of another that they point to',
    baseName: 'foreign-join',
  },
  {
    kind: 'processor',
    label: 'Processor',
    group: 'Processor',
    glyph: 'processor',
    hint: 'Your code, once a record; with stores and punctuators',
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
  {
    kind: 'sink',
    label: 'Topic',
    group: 'Sinks',
    glyph: 'sink',
    hint: 'Writes records to a topic',
    baseName: 'sink',
  },
]

/** What every topology has comes first. */
export const PALETTE_GROUPS: readonly PaletteGroup[] = [
  'Sources',
  'Sinks',
  'Stateless',
  'Processor',
  'Aggregations',
  'Joins',
]

export const JOIN_KINDS = {
  'stream-stream': 'stream-join',
  'stream-table': 'lookup-join',
  'stream-global': 'global-join',
  'table-table': 'table-join',
  'foreign-key': 'foreign-join',
} as const

/** What the palette calls a node of the document. */
export function paletteKindOf(node: DocumentNode): PaletteKind {
  switch (node.kind) {
    case 'source':
      if (node.properties.table === undefined) return 'source'
      return node.properties.table.global ? 'global-table' : 'table'
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

/** The user's code that a node runs, of several the first; undefined where it has none. */
export function codeOf(node: DocumentNode): CodeRef | undefined {
  switch (node.kind) {
    case 'processor':
    case 'transform':
    case 'join':
    case 'reduce':
    case 'aggregate':
      return node.properties.code
    case 'cogroup':
      return node.properties.initializer
    case 'branch':
      return node.properties.branches[0]?.code
    default:
      return undefined
  }
}

/** The modules of all code that a node runs, each once. */
export function modulesOf({ edges }: Pick<TopologyDocument, 'edges'>, node: DocumentNode): readonly string[] {
  const codes = [codeOf(node)]
  if (node.kind === 'branch') codes.push(...node.properties.branches.map(({ code }) => code))
  if (node.kind === 'join') codes.push(node.properties.selector)
  if (node.kind === 'aggregate' || node.kind === 'cogroup')
    codes.push(node.properties.initializer, node.properties.merger)
  if (node.kind === 'cogroup') codes.push(...edges.filter(({ to }) => to === node.id).map((edge) => edge.aggregator))
  return [...new Set(codes.flatMap((code) => code?.module ?? []))]
}

/** The meaning whose colour a node has: windows are a matter of settings where one kind does with and without. */
export function toneOf(node: DocumentNode): KindFacts['tone'] {
  return kindFacts(paletteKindOf(node)).tone ?? (windowsOf(node) === undefined ? undefined : 'segment')
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
export const canBeFed = (kind: PaletteKind): boolean => kind !== 'source' && kind !== 'table' && kind !== 'global-table'
