import { checkName } from '../topology/checkName.js'
import type { KStream } from './KStream.js'

/** What the map of a split may hold of a branch: a stream, or nothing. */
export type BranchOutcome = KStream<any, any> | null | undefined

interface BranchedOptions<K, V, R> {
  readonly name?: string
  readonly use?: (branch: KStream<K, V>) => R
  readonly consume?: (branch: KStream<K, V>) => void
}

/**
 * What becomes of one branch of a `split`: its name, and a function that goes on with it. Immutable.
 *
 * `R` is what the map that the split gives holds of it: the branch itself unless a function or consumer takes it.
 */
export class Branched<K, V, R extends BranchOutcome = KStream<K, V>> {
  private constructor(readonly options: BranchedOptions<K, V, R>) {}

  /** Names the branch: its node is the splitter's name and this. */
  static as<K = any, V = any>(name: string): Branched<K, V> {
    return new Branched<K, V>({}).withName(name)
  }

  /** The map that the split gives holds what the function returns; nothing for null or undefined. */
  static withFunction<K, V, R extends BranchOutcome = BranchOutcome>(
    use: (branch: KStream<K, V>) => R,
  ): Branched<K, V, R> {
    return new Branched({ use })
  }

  /** Hands the branch over: the map that the split gives does not hold it. */
  static withConsumer<K, V>(consume: (branch: KStream<K, V>) => void): Branched<K, V, null> {
    return new Branched<K, V, null>({ consume })
  }

  withName(name: string): Branched<K, V, R> {
    checkName('node', name)
    return new Branched({ ...this.options, name })
  }
}
