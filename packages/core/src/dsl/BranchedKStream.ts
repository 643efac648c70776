import type { Branched, BranchOutcome } from './Branched.js'
import type { DslPlan } from './DslPlan.js'
import { KStream } from './KStream.js'
import { type BranchTest, branch } from './operators/branch.js'
import { passThrough } from './operators/passThrough.js'

const childPrefix = 'KSTREAM-BRANCHCHILD-'

/**
 * A stream that is being split: each record goes into the first branch whose predicate holds, else into the default
 * branch, else nowhere. The map of branches is keyed by the names of their nodes: the splitter's name and the branch's,
 * or its number from 1, or `0` for the default (C.1). `B` is what that map holds by now.
 */
export class BranchedKStream<K, V, B extends KStream<any, any> = never> {
  private readonly tests: BranchTest[] = []
  private readonly branches = new Map<string, B>()

  /** @internal use `KStream.split` */
  constructor(
    private readonly plan: DslPlan,
    private readonly splitter: string,
    parent: string,
    private readonly rekeyed: boolean,
  ) {
    plan.add((definition) =>
      definition.addProcessor({
        name: splitter,
        parents: [parent],
        supplier: branch(splitter, [...this.tests]),
        userCode: false,
        keyEffect: { kind: 'same' },
        valueEffect: 'same',
        facts: { operator: 'split' },
      }),
    )
  }

  /** Takes the records that no earlier branch took and that the predicate holds for. */
  branch<R extends BranchOutcome = KStream<K, V>>(
    predicate: (key: K, value: V) => boolean,
    branched?: Branched<K, V, R>,
  ): BranchedKStream<K, V, B | NonNullable<R>> {
    const number = String(this.tests.length + 1)
    const child = this.addChild(branched?.options.name ?? number, branched)
    this.tests.push({ child, predicate })
    return this as unknown as BranchedKStream<K, V, B | NonNullable<R>>
  }

  /** Takes what no branch took. @returns the branches by name */
  defaultBranch<R extends BranchOutcome = KStream<K, V>>(
    branched?: Branched<K, V, R>,
  ): ReadonlyMap<string, B | NonNullable<R>> {
    const child = this.addChild(branched?.options.name ?? '0', branched)
    this.tests.push({ child, predicate: () => true })
    return this.branches
  }

  /** What no branch took goes nowhere. @returns the branches by name */
  noDefaultBranch(): ReadonlyMap<string, B> {
    return this.branches
  }

  private addChild(suffix: string, branched: Branched<K, V, BranchOutcome> | undefined): string {
    const child = this.plan.name(childPrefix, this.splitter + suffix)
    this.plan.add((definition) =>
      definition.addProcessor({
        name: child,
        parents: [this.splitter],
        supplier: passThrough(),
        userCode: false,
        keyEffect: { kind: 'same' },
        valueEffect: 'same',
        facts: { operator: 'branch' },
      }),
    )
    this.hand(child, new KStream<K, V>(this.plan, child, this.rekeyed), branched)
    return child
  }

  private hand(child: string, stream: KStream<K, V>, branched: Branched<K, V, BranchOutcome> | undefined): void {
    const { use, consume } = branched?.options ?? {}
    if (consume !== undefined) {
      consume(stream)
      return
    }
    const kept = use === undefined ? stream : use(stream)
    if (kept !== null && kept !== undefined) this.branches.set(child, kept as B)
  }
}
