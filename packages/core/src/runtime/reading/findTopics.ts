import { StreamError } from '../../errors/index.js'
import type { CompiledTopology } from '../../topology/CompiledTopology.js'
import type { EngineConfig } from '../../topology/EngineConfig.js'
import type { RecordLog, TopicInfo } from '../RecordLog.js'
import { requireCoPartitioned } from './requireCoPartitioned.js'
import { requireOneReader } from './requireOneReader.js'

/**
 * The topics that a topology reads, and all that it needs to know of those it writes.
 *
 * @param hasRun whether they have all been found before, in this run: one that is missing has then been deleted
 * @throws StreamError TOPIC_MISSING naming every one that does not exist, before anything has started;
 *   TOPOLOGY_INVALID for a join of topics with different numbers of partitions (V5), and for a topic of two sources (V4)
 */
export async function findTopics(
  topology: CompiledTopology,
  config: EngineConfig,
  log: RecordLog,
  hasRun = false,
): Promise<{ sources: string[]; topics: ReadonlyMap<string, TopicInfo> }> {
  const sources = new Set<string>()
  const needed = new Set<string>()
  const known = new Map<string, TopicInfo>()
  let dynamic = false
  for (const node of topology.nodes) {
    for (const topic of node.source?.topics ?? []) sources.add(topic)
    if (node.source?.pattern !== undefined) {
      for (const info of await log.topicsMatching(node.source.pattern)) sources.add(info.topic)
    }
    const sink = node.sink?.topic
    if (typeof sink === 'string') needed.add(sink)
    else if (sink !== undefined) dynamic = true
  }
  const deadLetters = config['errors.dead.letter.queue.topic.name']
  if (deadLetters !== undefined) needed.add(deadLetters)
  // A sink that names its topic record by record may name any that exists.
  if (dynamic) for (const info of await log.topicsMatching(/.*/)) known.set(info.topic, info)
  const all = [...new Set([...sources, ...needed])]
  for (const info of await log.topics(all)) known.set(info.topic, info)
  const missing = all.filter((topic) => !known.has(topic))
  if (missing.length > 0) throw missingTopics(missing, hasRun)
  requireOneReader(topology, config, known)
  requireCoPartitioned(topology, config, known)
  return { sources: [...sources], topics: known }
}

function missingTopics(missing: readonly string[], hasRun: boolean): StreamError {
  const names = missing.map((topic) => `"${topic}"`).join(', ')
  const isOne = missing.length === 1
  const message = hasRun
    ? `${isOne ? `Topic ${names} was` : `Topics ${names} were`} deleted while the application ran. Make ${isOne ? 'it' : 'them'} again ` +
      'and start; for one that was read, the start tells what is lost.'
    : `${isOne ? `Topic ${names} does` : `Topics ${names} do`} not exist. Create ${isOne ? 'it' : 'them'} before the run.`
  return new StreamError(message, {
    code: 'TOPIC_MISSING',
    kind: 'operational',
    retriable: true,
    context: { topic: missing.join(',') },
  })
}
