import { StreamError } from '../../errors/index.js'
import type { CompiledTopology } from '../../topology/CompiledTopology.js'
import type { EngineConfig } from '../../topology/EngineConfig.js'
import { coPartitioning } from '../../validation/rules/coPartitioning.js'
import type { TopicInfo } from '../RecordLog.js'

/**
 * Refuses joins of topics with different numbers of partitions, which only the log knows (V5, G-49): such a topology
 * cannot run in Kafka Streams. `topology.validation.co-partitioning` below `error` lets it run, since lanes go by keys.
 *
 * @throws StreamError TOPOLOGY_INVALID naming every join, with its topics and their counts
 */
export function requireCoPartitioned(
  topology: CompiledTopology,
  config: EngineConfig,
  topics: ReadonlyMap<string, TopicInfo>,
): void {
  const partitions = new Map([...topics].map(([topic, info]) => [topic, info.partitions]))
  const found = coPartitioning
    .check({ topology, config, samples: new Map(), partitions })
    .filter(({ severity, id }) => severity === 'error' && id.startsWith('co-partitioning:counts:'))
  const [first] = found
  if (first === undefined) return
  const lines = found.map(({ message, note }) => `- ${message} ${note}`)
  throw new StreamError(
    `Topics that are joined have different numbers of partitions:\n${lines.join('\n')}\n` +
      'Or set topology.validation.co-partitioning to warn: in lanes the join works all the same.',
    { code: 'TOPOLOGY_INVALID', kind: 'user', retriable: false, context: { node: first.node } },
  )
}
