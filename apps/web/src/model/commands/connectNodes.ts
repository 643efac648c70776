import type { TopologyDocument } from '@lanescope/shared'
import { pathOf } from '../clipboard.js'
import { withFunctions } from '../functionCode.js'
import { codeOf } from '../nodeKinds.js'
import { downstreamOf, nodeById } from '../queries.js'
import { starterFunctions, starterOf } from '../starters.js'
import { type Workspace, withDocument } from '../Workspace.js'
import { connect } from './edges.js'

/** Draws an edge, and lets a function that nobody has touched yet name the types that now reach it. */
export function connectNodes(workspace: Workspace, from: string, to: string): Workspace {
  const document = connect(workspace.document, from, to)
  if (document === workspace.document) return workspace
  return retypeStarter({ ...workspace, document }, workspace.document, to)
}

/**
 * The first text of a node's code anew, where the file still holds what it held for the drawing before. A file that
 * somebody has written in keeps what is there, and gets the functions below it that the node has more than before.
 */
export function retypeStarter(workspace: Workspace, before: TopologyDocument, id: string): Workspace {
  const node = nodeById(workspace.document, id)
  const old = nodeById(before, id)
  if (node === undefined || old === undefined) return workspace
  const path = pathOf(codeOf(node)?.module ?? '')
  const text = workspace.files[path]
  const was = starterOf(before, old)
  const is = starterOf(workspace.document, node)
  if (text === undefined || is === undefined || was === is) return workspace
  const next = text === was ? is : withFunctions(text, added(workspace, before, id))
  return next === text ? workspace : { ...workspace, files: { ...workspace.files, [path]: next } }
}

/** Functions that a node has got by a change; a function that was given another name is no new one. */
function added({ document }: Workspace, before: TopologyDocument, id: string) {
  const [node, old] = [nodeById(document, id), nodeById(before, id)]
  if (node === undefined || old === undefined) return []
  const known = starterFunctions(before, old)
  const functions = starterFunctions(document, node)
  if (functions.length <= known.length) return []
  return functions.filter(({ name }) => !known.some((one) => one.name === name))
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
