import { type EmbeddedLog, type EpochCommit, type LogSession, type RecordLog, StreamError } from '../src/index.js'

/** What goes wrong at which commit, counted from 1 over all incarnations. */
export type Fault = 'before' | 'answer-lost'

/** A log whose commits fail as told: before they are durable, or after, when only the answer is lost. */
export function faulty(log: EmbeddedLog, faults: ReadonlyMap<number, Fault>): RecordLog {
  let commits = 0
  const unavailable = () =>
    new StreamError('the log does not answer', { code: 'LOG_UNAVAILABLE', kind: 'operational', retriable: true })
  return {
    kind: 'embedded',
    exactlyOnce: true,
    internal: log.internal,
    topics: (names) => log.topics(names),
    topicsMatching: (pattern) => log.topicsMatching(pattern),
    close: () => log.close(),
    open: async (application, topics, reset, resets, found): Promise<LogSession> => {
      const session = await log.open(application, topics, reset, resets, found)
      return {
        assignment: session.assignment,
        fetch: (request) => session.fetch(request),
        wakeUp: () => session.wakeUp(),
        close: () => session.close(),
        commit: async (epoch: EpochCommit) => {
          const fault = faults.get(++commits)
          if (fault === 'before') throw unavailable()
          await session.commit(epoch)
          if (fault === 'answer-lost') throw unavailable()
        },
      }
    },
  }
}
