import { describe, expect, it } from 'vitest'
import { string } from '../serde/string.js'
import { Consumed } from '../topology/Consumed.js'
import { Branched } from './Branched.js'
import type { KStream } from './KStream.js'
import { Named } from './Named.js'
import { StreamsBuilder } from './StreamsBuilder.js'

/** Names of nodes, in the order of insertion. */
function names(write: (stream: KStream<string | null, string | null>) => void): string[] {
  const builder = new StreamsBuilder()
  write(builder.stream('in', Consumed.with(string, string)))
  return [...builder.build().definition.nodes.keys()]
}

describe('split', () => {
  const isA = (_key: unknown, value: string | null) => value === 'a'

  it('counts itself and each branch, whose names follow its own', () => {
    let keys: string[] = []
    const all = names((stream) => {
      const branches = stream.split().branch(isA).branch(isA, Branched.as('-b')).defaultBranch()
      keys = [...branches.keys()]
      stream.to('out')
    })
    expect(all.slice(1)).toEqual([
      'KSTREAM-BRANCH-0000000001',
      'KSTREAM-BRANCH-00000000011',
      'KSTREAM-BRANCH-0000000001-b',
      'KSTREAM-BRANCH-00000000010',
      'KSTREAM-SINK-0000000005',
    ])
    expect(keys).toEqual(all.slice(2, 5))
  })

  it('takes a name; without a default there is no branch for the rest', () => {
    const all = names((stream) => {
      stream.split(Named.as('S-')).branch(isA).noDefaultBranch()
      stream.to('out')
    })
    expect(all.slice(1)).toEqual(['S-', 'S-1', 'KSTREAM-SINK-0000000003'])
  })

  it('holds what a function gives back, and neither nothing nor what a consumer took', () => {
    const taken: string[] = []
    names((stream) => {
      const branches = stream
        .split(Named.as('S'))
        .branch(
          isA,
          Branched.withFunction((branch) => branch.peek(() => undefined)),
        )
        .branch(
          isA,
          Branched.withFunction(() => null),
        )
        .branch(isA, Branched.withConsumer<any, any>((branch) => void taken.push(branch.node)).withName('c'))
        .defaultBranch(Branched.as('d'))
      expect([...branches].map(([name, branch]) => [name, branch.node])).toEqual([
        ['S1', 'KSTREAM-PEEK-0000000003'],
        ['Sd', 'Sd'],
      ])
    })
    expect(taken).toEqual(['Sc'])
  })

  it('keeps the flag of a changed key', () => {
    const rekeyed: boolean[] = []
    names((stream) => {
      const note = Branched.withConsumer<any, any>((branch) => void rekeyed.push(branch.rekeyed))
      stream.split().defaultBranch(note)
      stream
        .selectKey((_k, v) => v)
        .split()
        .defaultBranch(note)
    })
    expect(rekeyed).toEqual([false, true])
  })
})
