import type { WireError, WireTopic } from '@lanescope/shared'
import { useState } from 'react'
import { useServices } from '../../app/services.js'
import { RequestError } from '../../client/AgentClient.js'
import { formatOf } from '../../live/formatNumber.js'
import { useProject } from '../../store/context.js'

/** Offered with a run that was refused for want of topics: makes them, then runs. */
export function CreateTopics({ error }: { readonly error: WireError }) {
  const { client, run, notify } = useServices()
  const projectId = useProject((state) => state.projectId)
  const [busy, setBusy] = useState(false)
  const topics = missingTopics(error)
  if (topics.length === 0 || projectId === null) return null
  const create = async () => {
    setBusy(true)
    try {
      await client.request('create-topics', { projectId, topics })
      await run.start()
    } catch (refused) {
      if (!(refused instanceof RequestError)) throw refused
      notify(refused.error.message, 'danger')
    } finally {
      setBusy(false)
    }
  }
  return (
    <button
      type="button"
      className="button primary small"
      disabled={busy}
      title={topics.map(({ topic, partitions }) => `${topic}, ${formatOf(partitions, 'partition')}`).join('; ')}
      onClick={() => void create()}
    >
      Create {topics.length === 1 ? topics[0]?.topic : formatOf(topics.length, 'topic')} and run
    </button>
  )
}

/** The topics that an error names as missing, with the partitions that they should have. */
export function missingTopics(error: WireError): readonly WireTopic[] {
  const { topics } = error.context
  if (error.code !== 'TOPIC_MISSING' || !Array.isArray(topics)) return []
  return topics.filter(isTopic)
}

function isTopic(value: unknown): value is WireTopic {
  if (typeof value !== 'object' || value === null) return false
  return (
    'topic' in value && typeof value.topic === 'string' && 'partitions' in value && typeof value.partitions === 'number'
  )
}
