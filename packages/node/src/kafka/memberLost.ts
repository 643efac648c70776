interface ConsumerGroup {
  memberId: string | null
}

/** The group has taken this member for dead: its partitions may be another one's. */
export class MemberLostError extends Error {
  override readonly name = 'KafkaJSNonRetriableError'
  readonly retriable = false

  constructor() {
    super('the group has lost this member')
  }
}

/**
 * A consumer that its group has lost ends, where kafkajs would join again at once. Beside whoever has taken its place it
 * would be company (E10): for its sake that one would begin anew, and while it did this one could take the place back.
 *
 * @param groupClass kafkajs's class of a consumer's part in a group
 */
export function joinsOnce(groupClass: unknown): void {
  const { prototype } = groupClass as {
    readonly prototype: { [method: symbol]: (this: ConsumerGroup) => Promise<void> }
  }
  const symbol = Object.getOwnPropertySymbols(prototype).find(
    ({ description }) => description === 'private:ConsumerGroup:join',
  )
  const join = symbol && prototype[symbol]
  if (symbol === undefined || join === undefined) throw new Error('kafkajs 2.2.4 is not what it was: it joins no group')
  const members = new WeakSet<ConsumerGroup>()
  prototype[symbol] = async function (this: ConsumerGroup) {
    if (members.has(this) && !this.memberId) throw new MemberLostError()
    await join.call(this)
    members.add(this)
  }
}
