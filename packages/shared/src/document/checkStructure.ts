import { branchNames } from './branches.js'
import { GENERATED_MODULES } from './generatedModules.js'
import { ownStoreOf } from './nodeForms.js'
import { type DocumentProblem, pathText } from './problems.js'
import type { DocumentEdge, DocumentNode, TopologyDocument } from './TopologyDocument.js'

/**
 * What a schema cannot say: that ids and names are unique, that edges join nodes which may be joined,
 * that nothing runs in a circle, and that stores which are used exist. All problems, in document order.
 */
export function checkStructure(document: TopologyDocument): DocumentProblem[] {
  return [
    ...duplicates(document.nodes, 'nodes', 'id', 'id'),
    ...duplicates(document.nodes, 'nodes', 'name', 'node name'),
    ...duplicates(document.edges, 'edges', 'id', 'id'),
    ...duplicates(document.stores, 'stores', 'id', 'id'),
    ...duplicates(document.generators, 'generators', 'id', 'id'),
    ...storeNameProblems(document),
    ...branchNameProblems(document),
    ...edgesProblems(document),
    ...unknownStores(document),
    ...generatedModules(document),
    ...cycleProblems(document),
  ]
}

function duplicates<T extends { id: string; name?: string }>(
  items: readonly T[],
  list: string,
  field: 'id' | 'name',
  what: string,
): DocumentProblem[] {
  const first = new Map<string, number>()
  return items.flatMap((item, index) => {
    const value = item[field] as string
    const earlier = first.get(value)
    if (earlier === undefined) {
      first.set(value, index)
      return []
    }
    return [
      {
        path: `${list}[${index}].${field}`,
        message: `The ${what} "${value}" is taken: ${list}[${earlier}] has it too. Give one of them another.`,
      },
    ]
  })
}

function storeNameProblems(document: TopologyDocument): DocumentProblem[] {
  const named = [
    ...document.stores.map((store, index) => ({ name: store.name, path: `stores[${index}].name` })),
    ...document.nodes.flatMap((node, index) => {
      const name = ownStoreOf(node)
      const path = `nodes[${index}].properties.${node.kind === 'source' ? 'table.' : ''}storeName`
      return name === undefined ? [] : [{ name, path }]
    }),
  ]
  const first = new Map<string, string>()
  return named.flatMap(({ name, path }) => {
    const earlier = first.get(name)
    if (earlier === undefined) {
      first.set(name, path)
      return []
    }
    return [{ path, message: `The store name "${name}" is taken: ${earlier} has it too. Give one of them another.` }]
  })
}

function edgesProblems(document: TopologyDocument): DocumentProblem[] {
  // Reversed, so that of two nodes with one id the first is meant.
  const nodes = new Map([...document.nodes].reverse().map((node) => [node.id, node]))
  const first = new Map<string, number>()
  return document.edges.flatMap((edge, index) => {
    const ends = `${edge.from} ${edge.to}`
    const twin = first.get(ends)
    if (twin === undefined) first.set(ends, index)
    return [
      ...edgeProblems(edge, `edges[${index}]`, nodes, twin),
      ...sideProblems(edge, index, document.edges, nodes),
      ...branchProblems(edge, `edges[${index}].branch`, nodes),
      ...cogroupProblems(edge, `edges[${index}]`, nodes),
    ]
  })
}

function branchProblems(edge: DocumentEdge, path: string, nodes: ReadonlyMap<string, DocumentNode>): DocumentProblem[] {
  const from = nodes.get(edge.from)
  if (edge.branch === undefined || from === undefined) return []
  if (from.kind !== 'branch')
    return [{ path, message: `The edge "${edge.id}" has a branch, and "${from.name}" has none to take. Remove it.` }]
  const names = branchNames(from)
  if (names.includes(edge.branch)) return []
  const known = names.length === 0 ? 'it has none' : `it has ${names.join(', ')}`
  return [{ path, message: `The edge "${edge.id}" takes the branch "${edge.branch}" of "${from.name}", and ${known}.` }]
}

/** How records are added stands on edges into a cogroup alone. */
function cogroupProblems(
  edge: DocumentEdge,
  path: string,
  nodes: ReadonlyMap<string, DocumentNode>,
): DocumentProblem[] {
  const to = nodes.get(edge.to)
  if (to === undefined || to.kind === 'cogroup') return []
  return (['aggregator', 'value'] as const).flatMap((field) =>
    edge[field] === undefined
      ? []
      : [
          {
            path: `${path}.${field}`,
            message: `The edge "${edge.id}" has a field "${field}", and "${to.name}" is no cogroup. Remove it.`,
          },
        ],
  )
}

function branchNameProblems(document: TopologyDocument): DocumentProblem[] {
  return document.nodes.flatMap((node, index) => {
    if (node.kind !== 'branch') return []
    const names = branchNames(node)
    return names.flatMap((name, at) => {
      const first = names.indexOf(name)
      if (first === at) return []
      const place = (one: number) => (one < node.properties.branches.length ? `branches[${one}].name` : 'defaultBranch')
      return [
        {
          path: `nodes[${index}].properties.${place(at)}`,
          message: `The branch name "${name}" is taken: ${place(first)} has it too. Give one of them another.`,
        },
      ]
    })
  })
}

function sideProblems(
  edge: DocumentEdge,
  index: number,
  edges: readonly DocumentEdge[],
  nodes: ReadonlyMap<string, DocumentNode>,
): DocumentProblem[] {
  if (edge.side === undefined) return []
  const to = nodes.get(edge.to)
  const path = `edges[${index}].side`
  if (to !== undefined && to.kind !== 'join') {
    return [{ path, message: `The edge "${edge.id}" has a side, and "${to.name}" is no join. Remove it.` }]
  }
  const other = edges.findIndex((one) => one.to === edge.to && one.side === edge.side)
  if (other === index) return []
  return [
    {
      path,
      message: `The ${edge.side} side of "${to?.name ?? edge.to}" is taken: edges[${other}] leads there too. Give one of them the other side.`,
    },
  ]
}

function edgeProblems(
  edge: DocumentEdge,
  path: string,
  nodes: ReadonlyMap<string, DocumentNode>,
  twin: number | undefined,
): DocumentProblem[] {
  const problems: DocumentProblem[] = []
  const from = nodes.get(edge.from)
  const to = nodes.get(edge.to)
  if (from === undefined) {
    problems.push({
      path: `${path}.from`,
      message: `The edge "${edge.id}" starts at "${edge.from}", and there is no such node.`,
    })
  }
  if (to === undefined) {
    problems.push({
      path: `${path}.to`,
      message: `The edge "${edge.id}" ends at "${edge.to}", and there is no such node.`,
    })
  }
  if (to?.kind === 'source') {
    problems.push({
      path: `${path}.to`,
      message: `The edge "${edge.id}" leads into the source "${to.name}". A source reads topics; nothing leads into it.`,
    })
  }
  if (from?.kind === 'sink') {
    problems.push({
      path: `${path}.from`,
      message: `The edge "${edge.id}" leads out of the sink "${from.name}". A sink writes a topic; nothing leads out of it.`,
    })
  }
  if (twin !== undefined) {
    problems.push({ path, message: `The edge "${edge.id}" joins the same two nodes as edges[${twin}]. Remove one.` })
  }
  return problems
}

function unknownStores(document: TopologyDocument): DocumentProblem[] {
  const known = new Set(document.stores.map((store) => store.id))
  return document.nodes.flatMap((node, index) => {
    if (node.kind !== 'processor') return []
    return node.properties.stores.flatMap((store, at) =>
      known.has(store)
        ? []
        : [
            {
              path: `nodes[${index}].properties.stores[${at}]`,
              message: `The processor "${node.name}" uses the store "${store}", and there is no such store.`,
            },
          ],
    )
  })
}

/** A user's code cannot live in a file that the generator overwrites. */
function generatedModules(document: TopologyDocument): DocumentProblem[] {
  const { nodes, edges, stores } = document
  // A template is data, whatever its fields are called.
  const generators = document.generators.map(({ key, value }) => ({ key, value }))
  return codeModules({ nodes, edges, stores, generators }, []).flatMap(({ path, module }) =>
    GENERATED_MODULES.includes(module)
      ? [
          {
            path: pathText(path),
            message: `The module "${module}" is generated and would be overwritten. Give your code a file of another name.`,
          },
        ]
      : [],
  )
}

/** Every `module` field at any depth, with its path. */
function codeModules(
  value: unknown,
  path: readonly (string | number)[],
): { path: (string | number)[]; module: string }[] {
  if (value === null || typeof value !== 'object') return []
  const isList = Array.isArray(value)
  return Object.entries(value).flatMap(([name, field]) => {
    const inner = [...path, isList ? Number(name) : name]
    return name === 'module' && typeof field === 'string' ? [{ path: inner, module: field }] : codeModules(field, inner)
  })
}

function cycleProblems(document: TopologyDocument): DocumentProblem[] {
  const cycle = findCycle(document)
  if (cycle === undefined) return []
  const nameOf = (id: string) => document.nodes.find((node) => node.id === id)?.name ?? id
  const names = [...cycle, cycle[0] as string].map((id) => `"${nameOf(id)}"`)
  return [{ path: 'edges', message: `Records would run in a circle: ${names.join(' → ')}. Remove one of these edges.` }]
}

/** Ids of nodes that form a cycle, in the order of the edges; undefined when there is none. */
export function findCycle(document: Pick<TopologyDocument, 'nodes' | 'edges'>): readonly string[] | undefined {
  const children = new Map<string, string[]>()
  for (const edge of document.edges) {
    const list = children.get(edge.from)
    if (list) list.push(edge.to)
    else children.set(edge.from, [edge.to])
  }
  const done = new Set<string>()
  for (const node of document.nodes) {
    const cycle = walk(node.id, children, done)
    if (cycle !== undefined) return cycle
  }
  return undefined
}

/** Depth first with a list of its own: a document of thousands of nodes must not overflow the stack. */
function walk(
  start: string,
  children: ReadonlyMap<string, readonly string[]>,
  done: Set<string>,
): string[] | undefined {
  if (done.has(start)) return undefined
  const path = [{ id: start, next: 0 }]
  const onPath = new Set([start])
  while (path.length > 0) {
    const top = path[path.length - 1] as { id: string; next: number }
    const child = children.get(top.id)?.[top.next++]
    if (child === undefined) {
      path.pop()
      onPath.delete(top.id)
      done.add(top.id)
    } else if (onPath.has(child)) {
      const ids = path.map((step) => step.id)
      return ids.slice(ids.indexOf(child))
    } else if (!done.has(child)) {
      path.push({ id: child, next: 0 })
      onPath.add(child)
    }
  }
  return undefined
}
