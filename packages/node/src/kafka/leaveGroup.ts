import type { Kafka } from 'kafkajs'
import { clusterOf } from './KafkaCluster.js'

const GROUP = 0

/**
 * Takes a member out of its group in its name: one of ours whose process died is not waited for until its session is
 * over (E5).
 */
export async function leaveGroup(kafka: Kafka, groupId: string, memberId: string): Promise<void> {
  const cluster = clusterOf(kafka)
  await cluster.connect()
  try {
    const coordinator = await cluster.findGroupCoordinator({ groupId, coordinatorType: GROUP })
    await coordinator.leaveGroup({ groupId, memberId })
  } finally {
    await cluster.disconnect()
  }
}
