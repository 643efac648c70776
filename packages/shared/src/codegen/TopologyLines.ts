/** Lines of a text, from 1, both included. */
export interface LineRange {
  readonly from: number
  readonly to: number
}

/** A statement of `build()`: two blanks, then neither a third nor what closes a call. */
const STATEMENT = /^ {2}[^\s)}\].]/

/** Which lines of a generated `topology.ts` belong to which node: `build()` has one statement a node, in order. */
export class TopologyLines {
  readonly #ranges = new Map<string, LineRange>()

  constructor(text: string, nodesInOrder: readonly string[]) {
    const lines = text.split('\n')
    const head = lines.findIndex((line) => line.startsWith('export function build('))
    const end = lines.indexOf('}', head)
    const starts: number[] = []
    for (let at = head + 1; at < end; at++) if (STATEMENT.test(lines[at] as string)) starts.push(at)
    // The first statement makes the topology, the last one returns it.
    nodesInOrder.forEach((nodeId, index) => {
      const start = starts[index + 1]
      const next = starts[index + 2]
      if (start !== undefined && next !== undefined) this.#ranges.set(nodeId, { from: start + 1, to: next })
    })
  }

  nodeAt(line: number): string | undefined {
    for (const [nodeId, { from, to }] of this.#ranges) if (line >= from && line <= to) return nodeId
    return undefined
  }

  linesOf(nodeId: string): LineRange | undefined {
    return this.#ranges.get(nodeId)
  }
}
