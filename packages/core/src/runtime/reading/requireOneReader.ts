import { StreamError } from '../../errors/index.js'
import type { CompiledTopology } from '../../topology/CompiledTopology.js'
import type { EngineConfig } from '../../topology/EngineConfig.js'
import { duplicateSource } from '../../validation/rules/duplicateSource.js'
import type { TopicInfo } from '../RecordLog.js'

/**
 * Refuses topics that two sources read, which only the log knows where patterns find them (V4): the second source would
 * get nothing, without a word. `topology.validation.duplicate-source` below `error` lets it run.
 *
 * @throws StreamError TOPOLOGY_INVALID naming every such topic, with its sources
 */
export function requireOneReader(
  topology: CompiledTopology,
  config: EngineConfig,
  topics: ReadonlyMap<string, TopicInfo>,
): void {
  const partitions = new Map([...topics].map(([topic, info]) => [topic, info.partitions]))
  const found = duplicateSource
    .check({ topology, config, samples: new Map(), partitions })
    .filter(({ severity }) => severity === 'error')
  const [first] = found
  if (first === undefined) return
  throw new StreamError(found.map(({ message }) => message).join('\n'), {
    code: 'TOPOLOGY_INVALID',
    kind: 'user',
    retriable: false,
    context: { node: first.node },
  })
}
