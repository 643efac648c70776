import type { WireRecord, WireTopic } from '@lanescope/shared'
import { useMemo, useState } from 'react'
import { useProject, useStores, useView } from '../../store/context.js'
import { ProduceForm } from './ProduceForm.js'
import { RecordTable } from './RecordTable.js'
import { TopicBar } from './TopicBar.js'
import { TopicList } from './TopicList.js'
import { inOrderOfRole, topicToFeed } from './topicRoles.js'
import type { Written } from './useProduce.js'
import { useTopicPage, useTopics } from './useTopics.js'
import './topics.css'

/** Topics of the project's log: their records, the newest first or from an offset on, and a form to add one. */
export function TopicsView() {
  const { view } = useStores()
  const { topics, reload } = useTopics()
  const chosen = useView((state) => state.params.topic)
  const partition = useView((state) => wholeOf(state.params.partition))
  const fromOffset = useView((state) => wholeOf(state.params.offset)) ?? 0
  const [round, setRound] = useState(0)
  const [written, setWritten] = useState<Written | null>(null)
  const document = useProject((state) => state.workspace.document)
  const known = topics.state === 'loaded' ? topics.value : NONE
  const all = useMemo(() => inOrderOfRole(document, known), [document, known])
  const topic =
    [chosen, topicToFeed(document, undefined)].flatMap((name) => all.find((one) => one.topic === name) ?? [])[0] ??
    all[0]
  const place = topic
    ? { ...topic, partition: partition === null ? null : Math.min(partition, topic.partitions - 1), fromOffset }
    : null
  const page = useTopicPage(place, round)
  const refresh = () => {
    reload()
    setRound((before) => before + 1)
  }
  const goTo = (next: number | null, offset = 0) => {
    const { partition: _, offset: __, ...params } = view.getState().params
    const place = { partition: String(next), offset: String(offset) }
    view.getState().set({ params: next === null ? params : { ...params, ...place } })
  }
  const showSent = (at: Written) => {
    if (partition !== null) goTo(at.partition, at.offset < 100 ? 0 : at.offset - 50)
    setWritten(at)
    refresh()
  }
  const open = (name: string) => {
    view.getState().setParam('topic', name)
    goTo(null)
    setWritten(null)
  }
  if (topics.state === 'refused') return <p className="topics-said danger">{topics.message}</p>
  if (!topic || !place) {
    return (
      <p className="topics-said ink-3">
        {topics.state === 'loading'
          ? 'Asking for topics…'
          : 'This log has no topic yet. A run and its generators make them.'}
      </p>
    )
  }
  return (
    <div className="topics-tab">
      <TopicList topics={all} open={topic.topic} onOpen={open} />
      <div className="topics-main">
        <TopicBar place={place} page={page} onGo={goTo} onRefresh={refresh} />
        <RecordTable topic={topic.topic} page={page} written={written} ofAll={place.partition === null} />
      </div>
      <ProduceForm
        key={topic.topic}
        topic={topic}
        newestRead={page.state === 'loaded' ? newestOf(page.value.records, topic.topic) : -1}
        onSent={showSent}
      />
    </div>
  )
}

/** Of a link, which anybody may write: a whole number, else nothing. */
function wholeOf(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : null
}

const NONE: readonly WireTopic[] = []

/** Records of another topic may stand there until those of this one come. */
function newestOf(records: readonly WireRecord[], topic: string): number {
  return records.reduce((most, record) => (record.topic === topic ? Math.max(most, record.timestamp) : most), -1)
}
