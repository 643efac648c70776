import { StreamError } from '../../errors/StreamError.js'
import type { RestoreFacts } from '../../events/EngineEvent.js'
import { Changelogs } from '../changelog/Changelogs.js'
import { type LoggedStore, loggedStores } from '../changelog/loggedStores.js'
import type { EngineLog } from '../EngineLog.js'
import type { EpochRecord } from '../epoch/EpochRecord.js'
import type { InternalTopics, StartingPosition, TopicInfo } from '../RecordLog.js'
import { lostState } from '../reading/lostState.js'
import { checkInLog, checkPositions } from './checkPositions.js'
import type { Lasting } from './Lasting.js'

/** What the log knows of epochs. */
interface History {
  readonly last: EpochRecord | undefined
  /** A rewind has begun a new history since the last one. */
  readonly isRewound: boolean
  /** Their topic has never been written to: each epoch that writes to a changelog writes to it as well. */
  readonly isUnwritten: boolean
}

/**
 * Makes the state what it was when the log's last epoch ended, before anything is read (E5, E6, T8). A log without
 * internal topics cannot tell: there state is what the backend has, and in memory it begins empty, which is told of.
 *
 * @returns the changelogs to go on with; undefined where the log keeps none
 * @throws StreamError STATE_MISMATCH; RestoreStopped once it is stopping
 */
export async function restoreState(
  lasting: Lasting,
  topics: ReadonlyMap<string, TopicInfo>,
  { last, isRewound, isUnwritten }: History,
  assignment: readonly StartingPosition[],
  log: EngineLog,
  isStopping: () => boolean = () => false,
): Promise<Changelogs | undefined> {
  const { options, backend, isFirst } = lasting
  const { topology, config, clock, state } = options
  const { internal } = options.log
  for (const line of checkInLog(assignment, config['source.offset-gap'])) log.write('warn', line)
  // Behind a rewind state begins anew with the positions, wherever their topics begin by now.
  const begins = internal === undefined ? isFirst && state === undefined : last === undefined && !isRewound
  const lost = begins ? lostState(topology, assignment) : undefined
  if (internal === undefined) {
    if (lost !== undefined) log.write('warn', lost)
    return undefined
  }
  // At least once, the positions may lag behind the epoch: what lies between is done again.
  if (last !== undefined && options.log.exactlyOnce)
    checkPositions(topology, last, assignment, config['source.offset-gap'])
  const stores = loggedStores(topology, config, topics)
  const changelogs = await Changelogs.open(internal, stores, config['state.format-change'], (names) =>
    options.log.traits?.(names),
  )
  // Positions alone are no history: a start at the latest records has some, too.
  if (lost !== undefined && (await areWritten(internal, stores))) {
    if (isUnwritten && config['source.offset-gap'] === 'refuse') throw epochLost(lost)
    log.write('warn', lost)
  }
  const reset = await changelogs.restore(backend, last, clock, {
    progress: (facts) => {
      if (lasting.events.listening('restore-progress')) {
        lasting.events.emit<'restore-progress'>({ type: 'restore-progress', at: clock.now(), ...facts })
      }
      if (facts.records > 0 || facts.left === 0) log.write('info', progressText(facts))
    },
    isOver: isStopping,
    unusable: (owner, why) => log.write('warn', `Rebuilds "${owner}" from the beginning of its changelog: ${why}.`),
  })
  for (const owner of reset) {
    log.write(
      'warn',
      `What the last run kept in "${owner}" was written in another format than this topology reads, so it starts empty, ` +
        'while reading goes on where the last run ended. Run it from the beginning of its topics to rebuild it.',
    )
  }
  for (const topic of changelogs.leftBehind) {
    log.write(
      'warn',
      `The last run kept state in "${topic}", and no store or timer of this topology goes by that name. It is left as it ` +
        'is, and read again should the name come back. Was something renamed? Then give it its old name, or run from the ' +
        'beginning of its topics.',
    )
  }
  return changelogs
}

/** Whether any of these changelogs has, or has had, a record. */
async function areWritten(internal: InternalTopics, stores: readonly LoggedStore[]): Promise<boolean> {
  for (const { topic } of stores) if ((await internal.bounds(topic)).some(({ end }) => end > 0)) return true
  return false
}

/** Positions without the epoch that they are of (E13): its record is gone, or another program has moved them. */
function epochLost(lost: string): StreamError {
  return new StreamError(
    `${lost} The log has no record of the epoch that these positions are of: was its topic deleted, or has another ` +
      'program used this application.id? Reset the application to begin anew, or go on with empty state by ' +
      'source.offset-gap: accept.',
    { code: 'STATE_MISMATCH', kind: 'operational', retriable: false },
  )
}

function progressText({ owner, topic, records, bytes, left, elapsedMs, leftMs }: RestoreFacts): string {
  const so = `${records} records, ${bytes} bytes of "${topic}" in ${Math.round(elapsedMs)} ms`
  if (left === 0) return `Rebuilt "${owner}" from its changelog: ${so}.`
  return `Rebuilding "${owner}" from its changelog: ${so}; ${left} records left${leftMs === undefined ? '' : `, about ${leftMs} ms`}.`
}
