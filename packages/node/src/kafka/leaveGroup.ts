import type { Kafka } from 'kafkajs'

interface Broker {
  leaveGroup(request: { groupId: string; memberId: string }): Promise<unknown>
}
interface Cluster {
  connect(): Promise<void>
  disconnect(): Promise<void>
  findGroupCoordinator(request: { groupId: string; coordinatorType: number }): Promise<Broker>
}
type CreateCluster = (options: { readonly allowAutoTopicCreation: boolean }) => Cluster

const GROUP = 0

/**
 * Takes a member out of its group in its name: one of ours whose process died is not waited for until its session is
 * over (E5). kafkajs can do it, and lends the means to nobody: they are found by their description.
 */
export async function leaveGroup(kafka: Kafka, groupId: string, memberId: string): Promise<void> {
  const symbol = Object.getOwnPropertySymbols(kafka).find(
    ({ description }) => description === 'private:Kafka:createCluster',
  )
  const create = symbol && ((kafka as unknown as { [key: symbol]: unknown })[symbol] as CreateCluster | undefined)
  if (create === undefined) throw new Error('kafkajs 2.2.4 is not what it was: it makes no cluster')
  const cluster = create({ allowAutoTopicCreation: false })
  await cluster.connect()
  try {
    const coordinator = await cluster.findGroupCoordinator({ groupId, coordinatorType: GROUP })
    await coordinator.leaveGroup({ groupId, memberId })
  } finally {
    await cluster.disconnect()
  }
}
