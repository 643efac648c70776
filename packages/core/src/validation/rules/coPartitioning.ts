import { type CoPartitioned, type CoPartitionGroup, coPartitionGroups } from '../coPartitionSides.js'
import type { Finding, Severity, ValidationInput, ValidationRule } from '../Finding.js'
import { groupBy } from '../groupBy.js'
import { listOf } from '../sentences.js'
import { atMost, severityOf } from '../severity.js'

const id = 'co-partitioning'

interface Mismatch {
  readonly what: 'counts' | 'key serdes' | 'partitioners'
  readonly title: string
  readonly said: (side: CoPartitioned) => string
  readonly consequence: string
  readonly remedy: string
}

/** V5: the sides of a join are partitioned otherwise, so that equal keys may not meet (C.4, G-49, G-56). */
export const coPartitioning: ValidationRule = {
  id,
  spec: 'V5',
  check(input) {
    const severity = severityOf(input.config, id)
    if (severity === undefined) return []
    const found = coPartitionGroups(input.topology).flatMap((group) =>
      mismatches(input, group).map((mismatch) => ({ group, mismatch })),
    )
    // The two halves of a join say the same of the same sides.
    const joins = groupBy(found, ({ group, mismatch }) =>
      JSON.stringify([mismatch.what, group.sides.map(({ node }) => node).sort()]),
    )
    return joins.flatMap(([first]) => (first === undefined ? [] : [finding(first.group, first.mismatch, severity)]))
  },
}

function mismatches(input: ValidationInput, { sides }: CoPartitionGroup): Mismatch[] {
  return [...differingCounts(input, sides), ...differingSerdes(sides), ...differingPartitioners(sides)]
}

function differingCounts({ partitions }: ValidationInput, sides: readonly CoPartitioned[]): Mismatch[] {
  const countsOf = (side: CoPartitioned): number[] => {
    if (side.numberOfPartitions !== undefined) return [side.numberOfPartitions]
    return side.topics.flatMap((topic) => partitions?.get(topic) ?? [])
  }
  if (new Set(sides.flatMap(countsOf)).size < 2) return []
  return [
    {
      what: 'counts',
      title: 'Topics that are joined have different numbers of partitions',
      said: (side) => `${side.topics.join(', ')}: ${listOf(countsOf(side).map(String)) || 'as many as needed'}`,
      consequence:
        'Kafka Streams refuses such a join: a key would be in partition 3 of one topic and in none of the other.',
      remedy: 'Give the topics one number of partitions, or put repartition() in front of one side',
    },
  ]
}

function differingSerdes(sides: readonly CoPartitioned[]): Mismatch[] {
  const declared = sides.filter(
    (side) => side.declared && side.keySerdeId !== undefined && side.partitioner === undefined,
  )
  if (new Set(declared.map((side) => side.keySerdeId)).size < 2) return []
  return [
    {
      what: 'key serdes',
      title: 'The sides of a join write their keys by different serdes',
      said: (side) => `${side.topics.join(', ') || side.node}: ${side.keySerdeId ?? 'no serde'}`,
      consequence:
        'Equal keys are other bytes on either side, so they lie in other lanes and partitions: the join finds nothing.',
      remedy: 'Declare one key serde for both sides, or re-key one of them',
    },
  ]
}

function differingPartitioners(sides: readonly CoPartitioned[]): Mismatch[] {
  if (new Set(sides.map((side) => side.partitioner)).size < 2) return []
  return [
    {
      what: 'partitioners',
      title: 'One side of a join is partitioned by a function of its own',
      said: (side) =>
        `${side.topics.join(', ') || side.node}: ${side.partitioner === undefined ? 'by the key' : 'by its own'}`,
      consequence:
        'Equal keys lie where the two rules put them, which need not be the same place: the join finds some or none.',
      remedy: 'Give both sides the same partitioner, or neither',
    },
  ]
}

function finding({ join, sides }: CoPartitionGroup, mismatch: Mismatch, limit: Severity): Finding {
  const { what, title, said, consequence, remedy } = mismatch
  const { name } = join
  return {
    id: `${id}:${what}:${name}`,
    rule: id,
    // A partitioner may put equal keys together after all; nobody can tell from here.
    severity: what === 'partitioners' ? atMost('warn', limit) : limit,
    node: name,
    nodes: [...new Set([name, ...sides.map((side) => side.node)])],
    path: [],
    places: [
      { node: name, title: 'Its two sides must be partitioned alike.', detail: `They differ in their ${what}.` },
      ...sides.map((side) => ({ node: side.node, title: `${said(side)}.`, detail: 'One of the two sides.' })),
    ],
    title: `${title}: ${name}`,
    message: `${name} joins ${listOf(sides.map(said))}. ${consequence}`,
    why:
      'A join looks a key up where that key lies. Records of both sides come to the same place only when both are spread ' +
      'by the same rule over the same number of places.',
    fixes: [],
    note: `${remedy}.`,
  }
}
