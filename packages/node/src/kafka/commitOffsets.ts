import type { Kafka } from 'kafkajs'
import { clusterOf } from './KafkaCluster.js'

const GROUP = 0
/** Whoever commits is no member: the coordinator takes that from a group that has none. */
const NO_GENERATION = -1
const NO_MEMBER = ''

/**
 * Sets the positions of a group that nobody is in, of all topics at once.
 *
 * kafkajs's `setOffsets` joins the group for each topic and reads it, which takes 5 s each; what has been set by then
 * stays set where a later topic fails.
 */
export async function commitOffsets(
  kafka: Kafka,
  groupId: string,
  topics: readonly {
    readonly topic: string
    readonly partitions: readonly { readonly partition: number; readonly offset: string }[]
  }[],
): Promise<void> {
  const cluster = clusterOf(kafka)
  await cluster.connect()
  try {
    const coordinator = await cluster.findGroupCoordinator({ groupId, coordinatorType: GROUP })
    await coordinator.offsetCommit({ groupId, groupGenerationId: NO_GENERATION, memberId: NO_MEMBER, topics })
  } finally {
    await cluster.disconnect()
  }
}
