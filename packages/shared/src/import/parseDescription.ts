/** A node as Kafka Streams' `TopologyDescription` names it. */
export interface DescribedNode {
  readonly kind: 'source' | 'processor' | 'sink'
  readonly name: string
  readonly subTopology: number
  /** Of a sub-topology that fills a global store. */
  readonly isGlobal: boolean
  /** Of a source by names. */
  readonly topics: readonly string[]
  /** Of a source by a pattern. */
  readonly pattern?: string
  /** Of a sink. Absent: an extractor picks it, record by record. */
  readonly topic?: string
  readonly extractor?: string
  readonly stores: readonly string[]
  readonly successors: readonly string[]
}

export type ParsedDescription =
  | { readonly ok: true; readonly nodes: readonly DescribedNode[] }
  /** What is wrong first, and the line of the text, from 1. */
  | { readonly ok: false; readonly line: number; readonly message: string }

type Draft = { -readonly [F in keyof DescribedNode]: DescribedNode[F] } & { readonly line: number }

const HEADER = /Topolog(?:ies|y):\s*$/
const SUB_TOPOLOGY = /^Sub-topology: (\d+)( for global store.*)?$/
const NODE = /^(Source|Processor|Sink): (.+?) \((topics|stores|topic|extractor class): (.*)\)$/
const ARROW = /^(-->|<--) (.*)$/
const NAME = /^[A-Za-z0-9._-]{1,249}$/

/**
 * Reads what `Topology#describe()` of a Kafka Streams application prints, also with what a logger put in front of its
 * first line, other indents or line ends. Never throws: the first thing that is wrong comes back with its line.
 */
export function parseDescription(text: string): ParsedDescription {
  const lines = text.replace(/^\ufeff/, '').split(/\r\n|\r|\n/)
  const first = lines.findIndex((line) => line.trim() !== '')
  if (first === -1) return refused(1, 'There is no text here. Paste what Topology#describe() prints.')
  const begins = HEADER.test(lines[first] as string) || SUB_TOPOLOGY.test((lines[first] as string).trim())
  if (!begins)
    return refused(
      first + 1,
      `A TopologyDescription begins with "Topologies:", and this line is ${quoted(lines[first] as string)}.`,
    )
  const reader = new Reader()
  for (const [index, line] of lines.entries()) {
    if (index < first || line.trim() === '' || (index === first && HEADER.test(line))) continue
    const problem = reader.take(line.trim(), index + 1)
    if (problem !== undefined) return refused(index + 1, problem)
  }
  return reader.end(first + 1)
}

class Reader {
  readonly #drafts: Draft[] = []
  #sub: { readonly index: number; readonly isGlobal: boolean } | undefined

  /** @returns what is wrong with the line; undefined when nothing is */
  take(line: string, number: number): string | undefined {
    const sub = SUB_TOPOLOGY.exec(line)
    if (sub) {
      this.#sub = { index: Number(sub[1]), isGlobal: sub[2] !== undefined }
      return undefined
    }
    const arrow = ARROW.exec(line)
    if (arrow) return this.#arrow(arrow[1] as string, arrow[2] as string)
    const node = NODE.exec(line)
    if (node) return this.#node(node[1] as string, node[2] as string, node[3] as string, node[4] as string, number)
    return `This is no line of a TopologyDescription: ${quoted(line)}. A line is a sub-topology, a node, or the arrows of the node above it.`
  }

  /** Checks what only the whole text can tell. */
  end(firstLine: number): ParsedDescription {
    if (this.#drafts.length === 0) return refused(firstLine, 'There is no node in this text. Was all of it copied?')
    const known = new Map(this.#drafts.map((draft) => [draft.name, draft]))
    for (const draft of this.#drafts) {
      const unknown = draft.successors.find((name) => !known.has(name))
      if (unknown !== undefined)
        return refused(draft.line, `"${draft.name}" leads to "${unknown}", and there is no such node in the text.`)
    }
    return { ok: true, nodes: this.#drafts.map(({ line: _, ...node }) => node) }
  }

  #node(kind: string, name: string, what: string, value: string, line: number): string | undefined {
    if (this.#sub === undefined) return `${kind} "${name}" stands in no sub-topology. Was the line above it left out?`
    if (!NAME.test(name)) return `A node cannot be called "${name}": use ASCII letters, digits, ".", "_" and "-".`
    if (this.#drafts.some((draft) => draft.name === name)) return `There is a node "${name}" already.`
    const fits = { Source: ['topics'], Processor: ['stores'], Sink: ['topic', 'extractor class'] }[kind] ?? []
    if (!fits.includes(what)) return `A ${kind.toLowerCase()} has ${fits.join(' or ')}, and "${name}" has ${what}.`
    this.#drafts.push({
      kind: kind.toLowerCase() as Draft['kind'],
      name,
      line,
      subTopology: this.#sub.index,
      isGlobal: this.#sub.isGlobal,
      topics: what === 'topics' ? (listOf(value) ?? []) : [],
      stores: what === 'stores' ? (listOf(value) ?? []) : [],
      successors: [],
      ...(what === 'topics' && listOf(value) === undefined ? { pattern: value } : {}),
      ...(what === 'topic' ? { topic: value } : {}),
      ...(what === 'extractor class' ? { extractor: value } : {}),
    })
    return undefined
  }

  #arrow(way: string, text: string): string | undefined {
    const draft = this.#drafts.at(-1)
    if (draft === undefined) return 'These arrows belong to no node: none stands above them.'
    // What leads in is said by whatever it comes from as well.
    if (way === '-->') draft.successors = [...draft.successors, ...namesIn(text)]
    return undefined
  }
}

/** `[a, b]`; undefined for what has no brackets, which is a pattern. */
function listOf(text: string): readonly string[] | undefined {
  const inner = /^\[(.*)\]$/.exec(text)?.[1]
  return inner === undefined ? undefined : namesIn(inner)
}

function namesIn(text: string): readonly string[] {
  const names = text.split(',').map((name) => name.trim())
  return names.filter((name) => name !== '' && name !== 'none')
}

function refused(line: number, message: string): ParsedDescription {
  return { ok: false, line, message }
}

function quoted(line: string): string {
  const text = line.trim()
  return `"${text.length > 60 ? `${text.slice(0, 59)}…` : text}"`
}
