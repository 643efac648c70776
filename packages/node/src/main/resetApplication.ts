import { rm } from 'node:fs/promises'
import type { Clock, LogAdmin, RecordLog, Topology } from '@lanescope/core'
import { readStateConfig } from '../config/stateConfig.js'
import type { LogReport } from '../LogReport.js'
import { openLog } from '../openLog.js'
import { checkBeforeOpening } from '../run.js'
import { openState } from '../state/openState.js'

/**
 * Sets an application back to the beginning: its next start reads every topic from the first record, with no state.
 * What it has written stays. Nothing is changed while an instance runs.
 *
 * @throws StreamError STATE_LOCKED or LOG_LOCKED naming who runs; what else keeps log or state from opening
 */
export async function resetApplication(
  topology: Topology,
  config: Readonly<Record<string, unknown>>,
  { clock, report }: { readonly clock: Clock; readonly report: LogReport },
): Promise<void> {
  const { engineConfig, compiled } = checkBeforeOpening(topology, config)
  const id = engineConfig['application.id']
  const where = readStateConfig(config, id)
  // Holds the lock, so that no instance of this folder starts meanwhile (E5).
  const state = await openState(config, id, { clock, report })
  try {
    const log = await openLog(config, { clock, report })
    try {
      const isThrough = ({ source }: SourceNode) => source?.through !== undefined
      const through = await sourceTopics(compiled.nodes.filter(isThrough), log)
      const topics = await sourceTopics(
        compiled.nodes.filter((node) => !isThrough(node)),
        log,
      )
      await log.rewind(id, topics, through)
      const of = topics.length === 0 ? 'its topics, none of which exists' : topics.join(', ')
      report('info', `"${id}" is set back to the beginning of ${of}.`)
      if (through.length > 0) report('info', `It goes on at the end of ${through.join(', ')}, which it writes anew.`)
    } finally {
      await log.close()
    }
  } finally {
    await state?.close()
  }
  if (where === undefined) return
  await rm(where.folder, { recursive: true, force: true })
  report('info', `Its local state in ${where.folder} is deleted.`)
}

interface SourceNode {
  readonly source?:
    | {
        readonly topics: readonly string[]
        readonly pattern?: RegExp | undefined
        readonly through?: readonly string[] | undefined
      }
    | undefined
}

/** Those that are there: one that the application has never had has nothing to be set back. */
async function sourceTopics(nodes: readonly SourceNode[], log: RecordLog & LogAdmin): Promise<readonly string[]> {
  const found = new Set<string>()
  for (const { source } of nodes) {
    if (source === undefined) continue
    const infos =
      source.pattern === undefined ? await log.topics(source.topics) : await log.topicsMatching(source.pattern)
    for (const { topic } of infos) found.add(topic)
  }
  return [...found]
}
