import type { WireTopic } from '@lanescope/shared'
import { useCallback, useEffect, useState } from 'react'
import { useServices } from '../../app/services.js'
import { RequestError } from '../../client/AgentClient.js'
import { useConnection, useProject, useRun } from '../../store/context.js'
import { type Ask, type Page, readFrom, readNewest } from './readTopic.js'

export type Loaded<T> =
  | { readonly state: 'loading' }
  | { readonly state: 'loaded'; readonly value: T }
  | { readonly state: 'refused'; readonly message: string }

/** Topics of the open project's log; asked again by `reload`. */
export function useTopics(): { readonly topics: Loaded<readonly WireTopic[]>; readonly reload: () => void } {
  const { client } = useServices()
  const projectId = useProject((state) => state.projectId)
  const open = useConnection((state) => state.status === 'open')
  // What answers changes with the run: its process while it lives, the agent once it is over.
  const answers = useRun((state) => `${state.run?.runId} ${state.run?.endedAt}`)
  const [round, setRound] = useState(0)
  const [topics, setTopics] = useState<Loaded<readonly WireTopic[]>>({ state: 'loading' })
  // biome-ignore lint/correctness/useExhaustiveDependencies: `round` and `answers` ask again.
  useEffect(() => {
    if (projectId === null || !open) return undefined
    return load(client.request('list-topics', { projectId }), (reply) => reply.topics, setTopics)
  }, [client, projectId, open, round, answers])
  return { topics, reload: useCallback(() => setRound((before) => before + 1), []) }
}

export interface PlaceInTopic {
  readonly topic: string
  readonly partitions: number
  /** Null: all of them, the newest records first. */
  readonly partition: number | null
  readonly fromOffset: number
}

/** Records of a partition from an offset on, or the newest of all; `round` asks again. */
export function useTopicPage(place: PlaceInTopic | null, round: number): Loaded<Page> {
  const { client } = useServices()
  const projectId = useProject((state) => state.projectId)
  const answers = useRun((state) => `${state.run?.runId} ${state.run?.endedAt}`)
  const [page, setPage] = useState<Loaded<Page>>({ state: 'loading' })
  const { topic, partitions, partition, fromOffset } = place ?? {}
  // biome-ignore lint/correctness/useExhaustiveDependencies: `round` and `answers` ask again.
  useEffect(() => {
    if (projectId === null || topic === undefined || partitions === undefined) return undefined
    if (partition === undefined || fromOffset === undefined) return undefined
    const ask: Ask = (one, from, max) =>
      client.request('read-topic', { projectId, topic, partition: one, fromOffset: from, max })
    const request = partition === null ? readNewest(ask, partitions) : readFrom(ask, partition, fromOffset)
    return load(request, (read) => read, setPage)
  }, [client, projectId, topic, partitions, partition, fromOffset, round, answers])
  return page
}

/** Puts the answer where it belongs, unless it has been overtaken. */
function load<R, T>(request: Promise<R>, read: (reply: R) => T, set: (loaded: Loaded<T>) => void): () => void {
  let current = true
  request.then(
    (reply) => {
      if (current) set({ state: 'loaded', value: read(reply) })
    },
    (error: unknown) => {
      if (!(error instanceof RequestError)) throw error
      if (current) set({ state: 'refused', message: error.error.message })
    },
  )
  return () => {
    current = false
  }
}
