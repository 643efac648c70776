import { type DocumentNode, joinInputs, type ProcessorNode, type TopologyDocument } from '@lanescope/shared'
import { pathOf } from '../clipboard.js'
import { type FlowTypes, typesInto, typesOf } from '../flowTypes.js'
import { joinCode, transformCode } from '../functionCode.js'
import { codeOf } from '../nodeKinds.js'
import { downstreamOf, nodeById, sourcesOf } from '../queries.js'
import { starterCode } from '../starterCode.js'
import { type Workspace, withDocument } from '../Workspace.js'
import { connect } from './edges.js'

/** Draws an edge, and lets a function that nobody has touched yet name the types that now reach it. */
export function connectNodes(workspace: Workspace, from: string, to: string): Workspace {
  const document = connect(workspace.document, from, to)
  if (document === workspace.document) return workspace
  return retypeStarter({ ...workspace, document }, workspace.document, to)
}

/** The first text of a node's function anew, where the file still holds what it held for the drawing before. */
export function retypeStarter(workspace: Workspace, before: TopologyDocument, id: string): Workspace {
  const node = nodeById(workspace.document, id)
  const old = nodeById(before, id)
  if (node === undefined || old === undefined) return workspace
  const path = pathOf(codeOf(node)?.module ?? '')
  const was = starterOf(before, old)
  const is = starterOf(workspace.document, node)
  if (was === undefined || is === undefined || was === is || workspace.files[path] !== was) return workspace
  return { ...workspace, files: { ...workspace.files, [path]: is } }
}

/** Changes a node, and lets the first texts at it and behind it name the types that now reach them, where nobody has touched them yet. */
export function editWithStarters(
  workspace: Workspace,
  id: string,
  change: (document: TopologyDocument) => TopologyDocument,
): Workspace {
  const changed = withDocument(workspace, change)
  if (changed.document === workspace.document) return changed
  const reached = [id, ...downstreamOf(changed.document, id)]
  return reached.reduce((at, one) => retypeStarter(at, workspace.document, one), changed)
}

/** The first text of a node's code, as the drawing is. */
function starterOf(document: TopologyDocument, node: DocumentNode): string | undefined {
  if (node.kind === 'processor') return processorStarterOf(document, node)
  if (node.kind === 'transform')
    return transformCode(node.properties.code.export, node.properties.op, typesInto(document, node))
  if (node.kind !== 'join') return undefined
  const { left, right } = joinInputs(document, node.id)
  return joinCode(
    node.properties.code.export,
    node.properties.how,
    ofSide(document, left?.from),
    ofSide(document, right?.from),
  )
}

function processorStarterOf(document: TopologyDocument, node: ProcessorNode): string | undefined {
  const [source] = sourcesOf(document, node.id)
  if (source === undefined) return undefined
  const { keyType, valueType } = source.properties
  const { code, timers } = node.properties
  return starterCode({ name: code.export, keyType, valueType, withTimers: timers.length > 0 })
}

function ofSide(document: TopologyDocument, id: string | undefined): FlowTypes {
  return id === undefined ? { key: 'unknown', value: 'unknown' } : typesOf(document, id)
}
