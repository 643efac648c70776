import type { CodeRef, DocumentNode, SourceNode } from '@lanescope/shared'
import { ownStoreOf } from '@lanescope/shared'
import { type FlowTypes, typesOf } from '../flowTypes.js'
import { functionName, joinCode, transformCode } from '../functionCode.js'
import type { PaletteKind } from '../nodeKinds.js'
import { freeName, namesOf } from '../queries.js'
import { className, starterCode } from '../starterCode.js'
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
    case 'through':
    case 'sink':
      return plain({ ...base, kind, properties: { topic: '' } })
    case 'merge':
      return plain({ ...base, kind, properties: {} })
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

/** The types behind the node in front, or those of the only source while nothing leads to it. */
function typesAround({ workspace, parent, source }: Surroundings): FlowTypes {
  const from = parent ?? source?.id
  return from === undefined ? { key: 'unknown', value: 'unknown' } : typesOf(workspace.document, from)
}

function withFile(around: Surroundings, base: NewNode, name: string, text: string) {
  const { files } = around.workspace
  const taken = new Set([...GENERATED, ...Object.keys(files).map((path) => path.replace(/\.ts$/, ''))])
  const stem = freeName(taken, base.id)
  const code: CodeRef = { module: `./${stem}`, export: name }
  return { code, files: { ...files, [`${stem}.ts`]: text } }
}

function newTransform(
  base: NewNode,
  around: Surroundings,
  op: Extract<DocumentNode, { kind: 'transform' }>['properties']['op'],
): Created {
  const name = functionName(base.name)
  const { code, files } = withFile(around, base, name, transformCode(name, op, typesAround(around)))
  return { node: { ...base, kind: 'transform', properties: { op, code } }, files }
}

function newJoin(
  base: NewNode,
  around: Surroundings,
  of: Extract<DocumentNode, { kind: 'join' }>['properties']['of'],
  storeName?: string,
): Created {
  const name = functionName(base.name)
  const unknown = { key: 'unknown', value: 'unknown' }
  const { code, files } = withFile(around, base, name, joinCode(name, 'inner', unknown, unknown))
  const windows = { beforeMs: 5 * MINUTE_MS, afterMs: 5 * MINUTE_MS, graceMs: MINUTE_MS }
  const properties = { of, how: 'inner' as const, code, ...(storeName !== undefined && { ...windows, storeName }) }
  return { node: { ...base, kind: 'join', properties }, files }
}

function newProcessor(base: NewNode, around: Surroundings, withTimers: boolean): Created {
  const { keyType, valueType } = around.source?.properties ?? { keyType: 'string', valueType: 'unknown' }
  const name = className(base.name, [keyType, valueType])
  const { code, files } = withFile(around, base, name, starterCode({ name, keyType, valueType, withTimers }))
  const timers = withTimers ? (['event-time'] as const) : []
  return { node: { ...base, kind: 'processor', properties: { code, timers: [...timers], stores: [] } }, files }
}
