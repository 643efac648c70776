import type { Kafka } from 'kafkajs'
import type { RecordRun } from './records/RecordRun.js'

/** Connections to one broker, as far as they are used here. */
export interface Broker extends SeedBroker {
  disconnect(): Promise<void>
  offsetCommit(request: {
    readonly groupId: string
    readonly groupGenerationId: number
    readonly memberId: string
    readonly topics: readonly {
      readonly topic: string
      readonly partitions: readonly { readonly partition: number; readonly offset: string }[]
    }[]
  }): Promise<unknown>
  leaveGroup(request: { readonly groupId: string; readonly memberId: string }): Promise<unknown>
  initProducerId(request: {
    readonly transactionalId: string
    readonly transactionTimeout: number
  }): Promise<{ readonly producerId: string; readonly producerEpoch: number }>
  addPartitionsToTxn(
    request: TransactionFields & {
      readonly topics: readonly { readonly topic: string; readonly partitions: readonly number[] }[]
    },
  ): Promise<unknown>
  addOffsetsToTxn(request: TransactionFields & { readonly groupId: string }): Promise<unknown>
  produce(
    request: TransactionFields & {
      readonly acks: number
      readonly compression: number
      readonly topicData: readonly {
        readonly topic: string
        readonly partitions: readonly {
          readonly partition: number
          readonly firstSequence: number
          readonly messages: RecordRun
        }[]
      }[]
    },
  ): Promise<unknown>
  txnOffsetCommit(
    request: TransactionFields & {
      readonly groupId: string
      readonly topics: readonly {
        readonly topic: string
        readonly partitions: readonly { readonly partition: number; readonly offset: string }[]
      }[]
    },
  ): Promise<unknown>
  endTxn(request: TransactionFields & { readonly transactionResult: boolean }): Promise<unknown>
}

export interface TransactionFields {
  readonly transactionalId: string
  readonly producerId: string
  readonly producerEpoch: number
}

export interface PartitionLeader {
  readonly partitionId: number
  /** −1 while there is none. */
  readonly leader: number
}

/** Sends a request that kafkajs does not have. */
interface Protocol<Answer> {
  readonly request: {
    readonly apiKey: number
    readonly apiVersion: number
    readonly apiName: string
    /** Without the head of a request, but with the tagged fields that end it in a flexible version. */
    encode(): Promise<{ readonly parts: readonly Buffer[] }>
  }
  readonly response: {
    /** @param payload from behind the correlation id */
    decode(payload: Buffer): Promise<Answer>
    parse(answer: Answer): Promise<Answer>
  }
}

/** What requests of our own go through. Any broker can be asked about topics: one is the first that was connected to. */
export interface SeedBroker {
  /** What it understands, by API key. */
  readonly versions: { readonly [apiKey: number]: { readonly maxVersion: number } | undefined }
  readonly connectionPool: { send<Answer>(protocol: Protocol<Answer>): Promise<Answer> }
}

/** The brokers of a cluster and what they say of its topics: what kafkajs's consumers and producers are made of. */
export interface KafkaCluster {
  connect(): Promise<void>
  disconnect(): Promise<void>
  readonly brokerPool: { readonly seedBroker: SeedBroker }
  addMultipleTargetTopics(topics: string[]): Promise<void>
  refreshMetadata(): Promise<void>
  refreshMetadataIfNecessary(): Promise<void>
  findTopicPartitionMetadata(topic: string): readonly PartitionLeader[]
  findBroker(request: { readonly nodeId: string }): Promise<Broker>
  removeBroker(broker: { readonly host?: string | undefined; readonly port?: number | undefined }): void
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
