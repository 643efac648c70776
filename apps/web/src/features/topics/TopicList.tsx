import type { WireTopic } from '@lanescope/shared'
import { formatOf } from '../../live/formatNumber.js'
import { useProject } from '../../store/context.js'
import { roleOf, type TopicRole } from './topicRoles.js'

/** The topics of the log, each with what the drawing does with it. */
export function TopicList(props: {
  readonly topics: readonly WireTopic[]
  readonly open: string
  readonly onOpen: (topic: string) => void
}) {
  const { topics, open, onOpen } = props
  const document = useProject((state) => state.workspace.document)
  return (
    <ul className="topics-list" aria-label="Topics">
      {topics.map(({ topic, partitions }) => (
        <li key={topic}>
          <button type="button" title={topic} aria-current={topic === open} onClick={() => onOpen(topic)}>
            <span>{topic}</span>
            <small>{[...ROLES[roleOf(document, topic)], formatOf(partitions, 'partition')].join(' · ')}</small>
          </button>
        </li>
      ))}
    </ul>
  )
}

const ROLES: { readonly [role in TopicRole]: readonly string[] } = {
  source: ['read'],
  sink: ['written'],
  both: ['written, read'],
  none: [],
}
