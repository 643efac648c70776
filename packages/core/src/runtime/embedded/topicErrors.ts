import { StreamError } from '../../errors/StreamError.js'

const LONGEST = 249
const MOST_PARTITIONS = 10_000

/** @throws StreamError TOPIC_INVALID when Kafka would refuse the name or the count makes no sense */
export function checkNewTopic(topic: string, partitions: number): void {
  const wrong = illegalName(topic)
  if (wrong !== undefined) throw topicInvalid(`Topic name ${JSON.stringify(topic)} is illegal: ${wrong}`, topic)
  if (!Number.isInteger(partitions) || partitions < 1 || partitions > MOST_PARTITIONS) {
    throw topicInvalid(
      `Topic "${topic}" cannot have ${partitions} partitions: give a whole number from 1 to ${MOST_PARTITIONS}`,
      topic,
    )
  }
}

/** Why Kafka refuses the name, or undefined when it is legal. */
function illegalName(topic: string): string | undefined {
  if (topic === '') return 'it is empty'
  if (topic === '.' || topic === '..') return 'it may not be "." or ".."'
  if (topic.length > LONGEST) return `it has ${topic.length} characters, ${LONGEST} are allowed`
  if (!/^[A-Za-z0-9._-]+$/.test(topic)) return 'use ASCII letters, digits, ".", "_" and "-"'
  return undefined
}

export function topicInvalid(message: string, topic: string): StreamError {
  return new StreamError(message, { code: 'TOPIC_INVALID', kind: 'user', retriable: false, context: { topic } })
}

/** One error for all topics that are missing. `where` says which log: "the embedded log"; `fix` what to do. */
export function topicMissing(topics: readonly string[], where: string, fix?: string): StreamError {
  const names = topics.map((topic) => `"${topic}"`).join(', ')
  const [first = ''] = topics
  return new StreamError(
    topics.length === 1
      ? `Topic ${names} does not exist in ${where}; ${fix ?? 'create it first'}`
      : `Topics ${names} do not exist in ${where}; ${fix ?? 'create them first'}`,
    { code: 'TOPIC_MISSING', kind: 'operational', retriable: true, context: { topic: first } },
  )
}
