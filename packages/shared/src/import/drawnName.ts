import type { FoldedNode } from './foldDescription.js'

/** `KSTREAM-MAPVALUES-0000000002`, `KTABLE-TOSTREAM-0000000004`; a branch has its own number behind that of its split. */
const GENERATED = /^(?:COGROUP)?K(?:STREAM|TABLE)-([A-Z-]+)-(\d{10})(\d*)$/

/**
 * What a node is called in the drawing: as the application calls it. A name that Kafka Streams made up is for a machine: it
 * becomes the topic, or the operator with its number, which also keeps it clear of the names that are made up here.
 */
export function drawnName({ name, as, described }: Pick<FoldedNode, 'name' | 'as' | 'described'>): string {
  const [, operator, number, branch] = GENERATED.exec(name) ?? []
  if (as === 'repartition') {
    const made = /-(\d{10})$/.exec(name)?.[1]
    return /^K(STREAM|TABLE)-/.test(name) && made !== undefined ? `repartition-${Number(made)}` : `to-${name}`
  }
  if (operator === undefined) return name
  const [topic, ...others] = described.topics
  if (as === 'source' && topic !== undefined && others.length === 0) return topic
  if (as === 'sink' && described.topic !== undefined) return described.topic
  return `${operator.toLowerCase()}-${Number(number)}${branch === '' ? '' : `-${branch}`}`
}
