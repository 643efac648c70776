import type { CodeRef, DocumentNode, SerdeRef, SourceNode } from '@lanescope/shared'
import { ownStoreOf } from '@lanescope/shared'
import { functionName } from '../functionCode.js'
import type { PaletteKind } from '../nodeKinds.js'
import { freeName, namesOf } from '../queries.js'
import { className, starterCode } from '../starterCode.js'
import { starterOf } from '../starters.js'
import type { Workspace } from '../Workspace.js'

export type NewNode = Pick<DocumentNode, 'id' | 'name' | 'position'>

interface Created {
  readonly node: DocumentNode
  readonly files: Workspace['files']
}

/** What a new node is made from: the workspace, and the node that it stands behind, if any. */
export interface Surroundings {
  readonly workspace: Workspace
  readonly parent: string | undefined
  /** The source whose records reach it, or the only one there is. */
  readonly source: SourceNode | undefined
}

const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000
/** Modules that the code generator writes; a node's file may not be called so. */
const GENERATED = ['topology', 'stores', 'main', 'model', 'traffic']

/** A node of a kind with properties that run as they are, and the file of its code where it has one. */
export function createNode(kind: PaletteKind, base: NewNode, around: Surroundings): Created {
  const { files } = around.workspace
  const plain = (node: DocumentNode): Created => ({ node, files })
  const storeName = () => freeStoreName(around.workspace, `${base.name}-store`)
  switch (kind) {
    case 'source':
      return plain({ ...base, kind, properties: newSource() })
    case 'table':
      return plain({ ...base, kind: 'source', properties: { ...newSource(), table: { storeName: storeName() } } })
    case 'global-table': {
      const table = { storeName: storeName(), global: true as const }
      return plain({ ...base, kind: 'source', properties: { ...newSource(), table } })
    }
    case 'repartition':
      return plain({ ...base, kind, properties: {} })
    case 'branch':
    case 'reduce':
    case 'aggregate':
    case 'cogroup':
      return newGrouped(kind, base, around, storeName())
    case 'through':
    case 'sink':
      return plain({ ...base, kind, properties: { topic: '' } })
    case 'merge':
      return plain({ ...base, kind, properties: {} })
    case 'to-table':
    case 'count':
      return plain({ ...base, kind, properties: { storeName: storeName() } })
    case 'windowed-count':
      return plain({ ...base, kind, properties: { sizeMs: HOUR_MS, graceMs: MINUTE_MS, storeName: storeName() } })
    case 'session-count':
      return plain({ ...base, kind, properties: { gapMs: 30 * MINUTE_MS, graceMs: MINUTE_MS, storeName: storeName() } })
    case 'sliding-count':
      return plain({
        ...base,
        kind,
        properties: { differenceMs: 5 * MINUTE_MS, graceMs: MINUTE_MS, storeName: storeName() },
      })
    case 'suppress':
      return plain({ ...base, kind, properties: { until: 'window-closes' } })
    case 'stream-join':
      return newJoin(base, around, 'stream-stream', freeStoreName(around.workspace, base.name))
    case 'lookup-join':
      return newJoin(base, around, 'stream-table')
    case 'table-join':
      return newJoin(base, around, 'table-table')
    case 'foreign-join':
      return newJoin(base, around, 'foreign-key')
    case 'global-join':
      return newJoin(base, around, 'stream-global')
    case 'processor':
    case 'timer-processor':
      return newProcessor(base, around, kind === 'timer-processor')
    default:
      return newTransform(base, around, kind)
  }
}

export function freeStoreName({ document }: Workspace, wanted: string): string {
  return freeName(
    new Set([...namesOf(document.stores), ...document.nodes.flatMap((node) => ownStoreOf(node) ?? [])]),
    wanted,
  )
}

function newSource(): SourceNode['properties'] {
  return {
    topics: [],
    keyType: 'string',
    valueType: 'Event',
    key: { form: 'serde', serde: { kind: 'built-in', name: 'string' } },
    value: { form: 'serde', serde: { kind: 'json', type: 'Event' } },
  }
}

/** The module of a new node's code: named as the node is, and no other's. */
function moduleFor({ workspace: { files } }: Surroundings, base: NewNode): string {
  const taken = new Set([...GENERATED, ...Object.keys(files).map((path) => path.replace(/\.ts$/, ''))])
  return `./${freeName(taken, base.id)}`
}

/** The node with a file of its first code, typed as if it stood behind the node in front, or the only source. */
function withStarter(node: DocumentNode, module: string, { workspace, parent, source }: Surroundings): Created {
  const { document, files } = workspace
  const from = parent ?? source?.id
  const edges = from === undefined || node.kind === 'join' ? [] : [{ id: 'new', from, to: node.id }]
  const drawn = { ...document, nodes: [...document.nodes, node], edges: [...document.edges, ...edges] }
  return { node, files: { ...files, [`${module.slice(2)}.ts`]: starterOf(drawn, node) ?? '' } }
}

function newTransform(
  base: NewNode,
  around: Surroundings,
  op: Extract<DocumentNode, { kind: 'transform' }>['properties']['op'],
): Created {
  const module = moduleFor(around, base)
  const code: CodeRef = { module, export: functionName(base.name) }
  return withStarter({ ...base, kind: 'transform', properties: { op, code } }, module, around)
}

/** What an aggregation makes until somebody says otherwise. */
const NUMBER: SerdeRef = { kind: 'json', type: 'number' }

function newGrouped(
  kind: 'branch' | 'reduce' | 'aggregate' | 'cogroup',
  base: NewNode,
  around: Surroundings,
  storeName: string,
): Created {
  const module = moduleFor(around, base)
  const code = (name: string): CodeRef => ({ module, export: name })
  const made = { storeName, initializer: code('initializer'), aggregateSerde: NUMBER }
  switch (kind) {
    case 'branch': {
      const properties = { branches: [{ name: 'matches', code: code('matches') }], defaultBranch: 'rest' }
      return withStarter({ ...base, kind, properties }, module, around)
    }
    case 'reduce':
      return withStarter({ ...base, kind, properties: { storeName, code: code('reducer') } }, module, around)
    case 'aggregate':
      return withStarter({ ...base, kind, properties: { ...made, code: code('aggregator') } }, module, around)
    case 'cogroup':
      return withStarter({ ...base, kind, properties: made }, module, around)
  }
}

function newJoin(
  base: NewNode,
  around: Surroundings,
  of: Extract<DocumentNode, { kind: 'join' }>['properties']['of'],
  storeName?: string,
): Created {
  const module = moduleFor(around, base)
  const code: CodeRef = { module, export: functionName(base.name) }
  const windows = { beforeMs: 5 * MINUTE_MS, afterMs: 5 * MINUTE_MS, graceMs: MINUTE_MS }
  const finder = { 'foreign-key': 'foreignKey', 'stream-global': 'tableKey' }[of as string]
  const properties = {
    of,
    how: 'inner' as const,
    code,
    ...(finder !== undefined && { selector: { module, export: finder } }),
    ...(storeName !== undefined && { ...windows, storeName }),
  }
  return withStarter({ ...base, kind: 'join', properties }, module, around)
}

function newProcessor(base: NewNode, around: Surroundings, withTimers: boolean): Created {
  const { keyType, valueType } = around.source?.properties ?? { keyType: 'string', valueType: 'unknown' }
  const name = className(base.name, [keyType, valueType])
  const module = moduleFor(around, base)
  const { files } = around.workspace
  const text = starterCode({ name, keyType, valueType, withTimers })
  const timers = withTimers ? (['event-time'] as const) : []
  return {
    node: {
      ...base,
      kind: 'processor',
      properties: { code: { module, export: name }, timers: [...timers], stores: [] },
    },
    files: { ...files, [`${module.slice(2)}.ts`]: text },
  }
}
