export interface TopicPartition {
  readonly topic: string
  readonly partition: number
}
