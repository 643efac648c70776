import type { MissingPart } from '../document/incompleteness.js'
import { needsDsl } from '../document/nodeForms.js'
import type { TopologyDocument } from '../document/TopologyDocument.js'
import { type Buildable, buildableNodes } from './buildable.js'
import { dslForm } from './dslForm.js'
import { formatTypeScript } from './formatTypeScript.js'
import { GENERATED_HEADER, type GeneratedFile } from './GeneratedFile.js'
import { ModuleImports } from './ModuleImports.js'
import { type NodeStatement, processorForm } from './processorForm.js'
import { StoreNames, storesModule } from './storesModule.js'
import { type LineRange, TopologyLines } from './TopologyLines.js'
import { TopologyWriter } from './TopologyWriter.js'

/** `src/topology.ts`, with `src/stores.ts` when there are stores, and where each node stands in it. */
export interface GeneratedTopology {
  readonly files: readonly GeneratedFile[]
  /** The text of `src/topology.ts`. */
  readonly text: string
  /** What is not in it, and why: the unfinished nodes. Empty for a whole topology. */
  readonly leftOut: readonly MissingPart[]
  /** Ids of the nodes in it, in the order of their calls. */
  readonly nodesInOrder: readonly string[]
  /** The document node whose call stands on a line of `text` (from 1); undefined for other lines. */
  nodeAt(line: number): string | undefined
  /** The lines of a node's call, both included; undefined for a node that was left out. */
  linesOf(nodeId: string): LineRange | undefined
}

/**
 * Turns a document into the TypeScript that runs: what the agent runs, what the simulator runs, and what is exported.
 * Quick (milliseconds for 100 nodes) and plain; `formatTopology` makes it look like written by hand.
 *
 * Unfinished nodes are left out, and the text says so; whoever runs or exports asks `incompleteness` first.
 */
export function generateTopology(document: TopologyDocument): GeneratedTopology {
  return generate(document, 'run')
}

/**
 * The same topology for the canvas to reason about: processors are stubs that keep what their nodes declare, and
 * no types are written, so that neither can break it. Serdes, deserializers and extractors are the user's own.
 */
export function generateAnalysisModule(document: TopologyDocument): GeneratedTopology {
  return generate(document, 'analysis')
}

/** The same text in the house style of exported projects: no semicolons, single quotes, 100 columns. */
export async function formatTopology(topology: GeneratedTopology): Promise<GeneratedTopology> {
  const files = await Promise.all(
    topology.files.map(async ({ path, text }) => ({ path, text: await formatTypeScript(text) })),
  )
  return present(files, topology.leftOut, topology.nodesInOrder)
}

function generate(document: TopologyDocument, purpose: 'run' | 'analysis'): GeneratedTopology {
  const buildable = buildableNodes(document)
  const isDsl = needsDsl({ nodes: buildable.nodes.map(({ node }) => node) })
  const stores = new StoreNames(document.stores)
  const imports = new ModuleImports(['build', 'topology', 'builder', ...stores.all()])
  const writer = new TopologyWriter(imports, purpose)
  const statements = isDsl
    ? dslForm(document, buildable.nodes, stores, writer)
    : processorForm(buildable.nodes, stores, writer)
  const text = topologyModule(statements, buildable, isDsl, writer)
  const storesText = storesModule(document, purpose)
  const files = [{ path: 'src/topology.ts', text }]
  if (storesText !== undefined) files.push({ path: 'src/stores.ts', text: storesText })
  return present(
    files,
    buildable.leftOut,
    statements.map((statement) => statement.nodeId),
  )
}

function topologyModule(
  statements: readonly NodeStatement[],
  buildable: Buildable,
  isDsl: boolean,
  writer: TopologyWriter,
): string {
  const { imports } = writer
  const made = isDsl
    ? `const builder = new ${imports.core('StreamsBuilder')}()`
    : `const topology = new ${imports.core('Topology')}()`
  const result = writer.purpose === 'analysis' ? '' : `: ${imports.core('Topology')}`
  return `${[
    GENERATED_HEADER,
    ...imports.lines(),
    '',
    ...buildable.leftOut.map((part) => `// Left out: ${part.message.replace(/[\r\n\u2028\u2029]/g, ' ')}`),
    `export function build()${result} {`,
    `  ${made}`,
    ...statements.map((statement) => `  ${statement.text}`),
    `  return ${isDsl ? 'builder.build()' : 'topology'}`,
    '}',
  ].join('\n')}\n`
}

function present(
  files: readonly GeneratedFile[],
  leftOut: readonly MissingPart[],
  nodesInOrder: readonly string[],
): GeneratedTopology {
  const text = files[0]?.text ?? ''
  const lines = new TopologyLines(text, nodesInOrder)
  return {
    files,
    text,
    leftOut,
    nodesInOrder,
    nodeAt: (line) => lines.nodeAt(line),
    linesOf: (nodeId) => lines.linesOf(nodeId),
  }
}
