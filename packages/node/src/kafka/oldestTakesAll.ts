import type { AssignerProtocol, PartitionAssigner } from 'kafkajs'

interface Serializers {
  readonly AssignerProtocol: typeof AssignerProtocol
}

/**
 * Gives every partition to the group's leader, which is its oldest member, and none to others: a second instance of an
 * application learns that there is a first one without taking anything from it (E5). A member with another assignor, so
 * any consumer that is not ours, is kept out by the broker.
 *
 * @param token known to this member alone: the one who assigns is not told which of the members it is itself
 * @param onAssign whom else the group had, each time that this member assigns
 */
export function oldestTakesAll(
  { AssignerProtocol }: Serializers,
  token: string,
  onAssign: (others: readonly string[]) => void = () => {},
): PartitionAssigner {
  const { MemberAssignment, MemberMetadata } = AssignerProtocol
  const name = 'lanescope-oldest-takes-all'
  const version = 0
  return ({ cluster }) => ({
    name,
    version,
    async assign({ members, topics }) {
      const assignment: { [topic: string]: number[] } = {}
      for (const topic of topics) {
        assignment[topic] = cluster.findTopicPartitionMetadata(topic).map(({ partitionId }) => partitionId)
      }
      const isLeader = (metadata: Buffer) => MemberMetadata.decode(metadata)?.userData.toString() === token
      onAssign(
        members.filter(({ memberMetadata }) => !isLeader(memberMetadata)).map(({ memberId }) => `member "${memberId}"`),
      )
      return members.map(({ memberId, memberMetadata }) => ({
        memberId,
        memberAssignment: MemberAssignment.encode({
          version,
          assignment: isLeader(memberMetadata) ? assignment : {},
          userData: Buffer.alloc(0),
        }),
      }))
    },
    protocol: ({ topics }) => ({
      name,
      metadata: MemberMetadata.encode({ version, topics, userData: Buffer.from(token) }),
    }),
  })
}
