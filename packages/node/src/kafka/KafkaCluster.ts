import type { Kafka } from 'kafkajs'

/** A connection to one broker, as far as it is used here. */
export interface Broker {
  fetch(request: FetchFields): Promise<{ readonly responses: readonly FetchedTopic<unknown>[] }>
  leaveGroup(request: { readonly groupId: string; readonly memberId: string }): Promise<unknown>
}

export interface FetchFields {
  readonly maxWaitTime: number
  readonly minBytes: number
  readonly maxBytes: number
  readonly isolationLevel: number
  readonly topics: readonly {
    readonly topic: string
    readonly partitions: readonly {
      readonly partition: number
      readonly fetchOffset: string
      readonly maxBytes: number
    }[]
  }[]
}

export interface FetchedTopic<Messages> {
  readonly topicName: string
  readonly partitions: readonly FetchedPartition<Messages>[]
}

export interface FetchedPartition<Messages> {
  readonly partition: number
  readonly lastStableOffset: string
  readonly abortedTransactions: readonly { readonly producerId: string; readonly firstOffset: string }[] | null
  readonly messages: Messages
}

export interface PartitionLeader {
  readonly partitionId: number
  /** −1 while there is none. */
  readonly leader: number
}

/** The brokers of a cluster and what they say of its topics: what kafkajs's consumers and producers are made of. */
export interface KafkaCluster {
  connect(): Promise<void>
  disconnect(): Promise<void>
  addMultipleTargetTopics(topics: string[]): Promise<void>
  refreshMetadata(): Promise<void>
  refreshMetadataIfNecessary(): Promise<void>
  findTopicPartitionMetadata(topic: string): readonly PartitionLeader[]
  findBroker(request: { readonly nodeId: string }): Promise<Broker>
  removeBroker(broker: { readonly host?: string; readonly port?: number }): void
  findGroupCoordinator(request: { readonly groupId: string; readonly coordinatorType: number }): Promise<Broker>
}

type CreateCluster = (options: { readonly allowAutoTopicCreation: boolean }) => KafkaCluster

/** Connections of one's own. kafkajs lends the means to nobody: they are found by their description. */
export function clusterOf(kafka: Kafka): KafkaCluster {
  const symbol = Object.getOwnPropertySymbols(kafka).find(
    ({ description }) => description === 'private:Kafka:createCluster',
  )
  const create = symbol && ((kafka as unknown as { [key: symbol]: unknown })[symbol] as CreateCluster | undefined)
  if (create === undefined) throw new Error('kafkajs 2.2.4 is not what it was: it makes no cluster')
  return create({ allowAutoTopicCreation: false })
}
