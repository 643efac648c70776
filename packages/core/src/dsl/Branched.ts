import { checkName } from '../topology/checkName.js'
import type { KStream } from './KStream.js'

interface BranchedOptions<K, V> {
  readonly name?: string
  readonly use?: (branch: KStream<K, V>) => KStream<any, any> | null | undefined
  readonly consume?: (branch: KStream<K, V>) => void
}

/** What becomes of one branch of a `split`: its name, and a function that goes on with it. Immutable. */
export class Branched<K, V> {
  private constructor(readonly options: BranchedOptions<K, V>) {}

  /** Names the branch: its node is the splitter's name and this. */
  static as<K = any, V = any>(name: string): Branched<K, V> {
    return new Branched<K, V>({}).withName(name)
  }

  /** The map that the split gives holds what the function returns; nothing for null or undefined. */
  static withFunction<K, V>(use: (branch: KStream<K, V>) => KStream<any, any> | null | undefined): Branched<K, V> {
    return new Branched({ use })
  }

  /** Hands the branch over: the map that the split gives does not hold it. */
  static withConsumer<K, V>(consume: (branch: KStream<K, V>) => void): Branched<K, V> {
    return new Branched({ consume })
  }

  withName(name: string): Branched<K, V> {
    checkName('node', name)
    return new Branched({ ...this.options, name })
  }
}
