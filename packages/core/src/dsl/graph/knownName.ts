/** Stands in no name of a node. */
const mark = '\u0000'

/** The name under which the graph knows the next node of a name that it has known so many nodes of. */
export function knownName(name: string, before: number): string {
  return before === 0 ? name : `${name}${mark}${before}`
}

/** The name under which a node of the graph is written. */
export function written(known: string): string {
  const at = known.indexOf(mark)
  return at < 0 ? known : known.slice(0, at)
}
