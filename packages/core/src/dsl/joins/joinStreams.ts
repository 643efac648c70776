import { Stores } from '../../state/builders/Stores.js'
import type { StoreBuilder } from '../../state/StoreBuilder.js'
import type { ProcessorDefinition } from '../../topology/NodeDefinition.js'
import { topologyError } from '../../topology/topologyError.js'
import type { DslPlan } from '../DslPlan.js'
import { JoinWindows } from '../JoinWindows.js'
import { joinWindow } from '../operators/joinWindow.js'
import { passThrough } from '../operators/passThrough.js'
import { selfJoin } from '../operators/selfJoin.js'
import { type JoinSide, streamJoin } from '../operators/streamJoin.js'
import { Unjoined } from '../operators/Unjoined.js'
import type { StreamJoined } from '../StreamJoined.js'
import { settled } from '../sync.js'
import { withStoreSettings } from '../withStoreSettings.js'
import { type JoinInput, repartitionForJoin } from './repartitionForJoin.js'
import { UnjoinedStore } from './UnjoinedStore.js'
import type { Side } from './waitingKey.js'

export type JoinKind = 'join' | 'leftJoin' | 'outerJoin'

export interface StreamJoinRequest {
  readonly kind: JoinKind
  readonly left: JoinInput
  readonly right: JoinInput
  readonly windows: JoinWindows
  readonly joined: StreamJoined<any, any, any>
  joiner(left: any, right: any, key: any): unknown
}

/** Names of the nodes and stores of a join, as Kafka Streams counts them (`kafka-streams.md` C.1). */
interface JoinNames {
  readonly windowed: { readonly [side in Side]: string }
  readonly joins: { readonly [side in Side]: string }
  readonly stores: { readonly [side in Side]: string }
  readonly merge: string
  readonly unjoined: string
}

/** Adds the join of two streams: their boundaries, a buffer each, a join each way, and what brings the two together. */
export function joinStreams(plan: DslPlan, request: StreamJoinRequest): string {
  const { kind, left, right, windows, joined } = request
  if (!(windows instanceof JoinWindows)) throw noWindows(left.node, right.node)
  const { name, keySerde, valueSerde, otherValueSerde } = joined.options
  const keepsNulls = kind !== 'join'
  const inputs = {
    left: repartitionForJoin(plan, left, name && `${name}-left`, { key: keySerde, value: valueSerde }, keepsNulls),
    right: repartitionForJoin(
      plan,
      right,
      name && `${name}-right`,
      { key: keySerde, value: otherValueSerde },
      keepsNulls,
    ),
  }
  const names = nameJoin(plan, kind, joined)
  const buffers = {
    left: logged(buffer(plan, names.stores.left, joined.options.thisStore, request), joined),
    right: logged(buffer(plan, names.stores.right, joined.options.otherStore, request), joined),
  }
  if (buffers.left.name === buffers.right.name) throw sameStore(buffers.left.name)
  const values = { left: valueSerde, right: otherValueSerde }
  for (const side of ['left', 'right'] as const) {
    plan.add((writer) =>
      writer.addProcessor({
        ...joinNode(names.windowed[side], inputs[side], names.merge),
        supplier: joinWindow(buffers[side]),
        valueEffect: 'same',
        aggregateStore: buffers[side].name,
        storeSerdes: 'declared',
        groupedBy: 'Joined',
        grouped: {
          ...(keySerde !== undefined && { key: keySerde }),
          ...(values[side] !== undefined && { value: values[side] }),
        },
        facts: { operator: 'join-window', window: windowFacts(windows) },
      }),
    )
  }
  addJoin(plan, request, names, buffers)
  return names.merge
}

type Buffers = { readonly [side in Side]: StoreBuilder<any, any> }

function addJoin(
  plan: DslPlan,
  { kind, windows, joined, joiner }: StreamJoinRequest,
  names: JoinNames,
  buffers: Buffers,
) {
  const unjoined =
    kind === 'join' || windows.eager
      ? undefined
      : new Unjoined(
          logged(
            new UnjoinedStore(names.unjoined, storeType(plan, joined), buffers.left.name, buffers.right.name),
            joined,
          ) as UnjoinedStore<any>,
          windows,
        )
  const joinAt = (node: string) => (key: unknown, left: unknown, right: unknown) =>
    settled(node, joiner(left, right, key))
  const side = (of: Side, outer: boolean): JoinSide => ({ side: of, other: buffers[otherSide(of)], outer })
  const supplier = (of: JoinSide) => streamJoin({ windows, unjoined, join: joinAt(names.joins[of.side]) }, of)
  const [left, right] = [side('left', kind !== 'join'), side('right', kind === 'outerJoin')]
  const facts = { operator: 'stream-join', window: windowFacts(windows), joins: true } as const
  plan.add(
    (writer) => {
      for (const of of [left, right]) {
        const node = joinNode(names.joins[of.side], names.windowed[of.side], names.merge)
        writer.addProcessor({ ...node, supplier: supplier(of), facts })
      }
      const node = joinNode(names.merge, names.joins.left, undefined)
      const parents = [names.joins.left, names.joins.right]
      writer.addProcessor({ ...node, parents, supplier: passThrough(), facts: { operator: 'join-merge' } })
    },
    {
      sendsNullKeys: kind !== 'join',
      // Kafka Streams takes one store for outer joins too: a record always finds itself, so nothing is left over.
      selfJoin: {
        left: names.windowed.left,
        right: names.windowed.right,
        write: (writer) =>
          writer.addProcessor({
            ...joinNode(names.merge, names.windowed.left, undefined),
            supplier: selfJoin(buffers.left, windows, joinAt(names.merge)),
            facts,
          }),
      },
    },
  )
}

function joinNode(name: string, parent: string, clock: string | undefined) {
  return {
    name,
    parents: [parent],
    userCode: false,
    keyEffect: { kind: 'same' },
    valueEffect: 'changed' as ProcessorDefinition['valueEffect'],
    ...(clock !== undefined && { clock }),
  } as const
}

function windowFacts({ sizeMs, graceMs, eager }: JoinWindows) {
  return { sizeMs, advanceMs: 1, graceMs, ...(eager && { defaultGrace: true as const }) }
}

function otherSide(side: Side): Side {
  return side === 'left' ? 'right' : 'left'
}

function nameJoin(plan: DslPlan, kind: JoinKind, { options }: StreamJoined<any, any, any>): JoinNames {
  const { name, storeName, thisStore } = options
  const [leftOuter, rightOuter] = [kind !== 'join', kind === 'outerJoin']
  const suffixes = {
    left: rightOuter ? '-outer-this-join' : '-this-join',
    right: leftOuter ? '-outer-other-join' : '-other-join',
  }
  const named = (suffix: string) => (name === undefined ? undefined : `${name}${suffix}`)
  const windowed = {
    left: plan.name('KSTREAM-WINDOWED-', named('-this-windowed')),
    right: plan.name('KSTREAM-WINDOWED-', named('-other-windowed')),
  }
  const generated = {
    left: plan.name(rightOuter ? 'KSTREAM-OUTERTHIS-' : 'KSTREAM-JOINTHIS-'),
    right: plan.name(leftOuter ? 'KSTREAM-OUTEROTHER-' : 'KSTREAM-JOINOTHER-'),
  }
  const storeOf = (side: Side) => `${storeName === undefined ? generated[side] : `${storeName}${suffixes[side]}`}-store`
  const base = thisStore?.name ?? storeName
  const unjoined =
    base === undefined
      ? `KSTREAM-OUTERSHARED-${generated.left.slice(-numberLength)}`
      : `${base}${rightOuter ? '-outer-shared-join' : '-left-shared-join'}`
  return {
    windowed,
    joins: { left: named(suffixes.left) ?? generated.left, right: named(suffixes.right) ?? generated.right },
    stores: { left: storeOf('left'), right: storeOf('right') },
    merge: plan.name('KSTREAM-MERGE-', named('-merge')),
    unjoined: `${unjoined}-store`,
  }
}

const numberLength = 10

/** A buffer has a changelog unless `StreamJoined` says that it has none; it is never cached (A.5). */
function logged(store: StoreBuilder<any, any>, { options: { logging, topicConfig } }: StreamJoined<any, any, any>) {
  return withStoreSettings(store, { ...(logging !== undefined && { logging }), ...(topicConfig && { topicConfig }) })
}

function storeType(plan: DslPlan, { options }: StreamJoined<any, any, any>) {
  return options.storeType ?? plan.config['dsl.store.suppliers.class']
}

/** The buffer of one side: the one that was picked, if it is fit, else one of the window's size and retention. */
function buffer(
  plan: DslPlan,
  name: string,
  picked: StoreBuilder<any, any> | undefined,
  { windows, joined }: StreamJoinRequest,
): StoreBuilder<any, any> {
  const { retentionMs, sizeMs: windowSizeMs } = windows
  if (picked === undefined) {
    const make = storeType(plan, joined) === 'inMemory' ? Stores.inMemoryWindow : Stores.window
    return make(name, { retentionMs, windowSizeMs, retainDuplicates: true })
  }
  const context = { store: picked.name }
  if (picked.retainDuplicates !== true) {
    throw topologyError(
      `The StoreSupplier must set retainDuplicates=true, found retainDuplicates=false. The store "${picked.name}" keeps ` +
        'one value a key and time; make it by Stores.window with retainDuplicates: true.',
      context,
    )
  }
  if (picked.retentionMs !== retentionMs || picked.windowSizeMs !== windowSizeMs) {
    throw topologyError(
      `Window settings mismatch. WindowBytesStoreSupplier settings of "${picked.name}" (size=[${picked.windowSizeMs}], ` +
        `retention=[${picked.retentionMs}]) must match JoinWindows settings for the window size and retention period: ` +
        `size=[${windowSizeMs}] (before + after), retention=[${retentionMs}] (size + grace).`,
      context,
    )
  }
  return picked
}

function sameStore(store: string) {
  return topologyError(
    `Both StoreSuppliers have the same name. StoreSuppliers must provide unique names: "${store}" keeps one side only. ` +
      'Give each side a store of its own.',
    { store },
  )
}

function noWindows(left: string, right: string) {
  return topologyError(
    `The join of "${left}" and "${right}" says not how near in time their records must be. Give JoinWindows after the ` +
      'function: JoinWindows.ofTimeDifferenceWithNoGrace(minutes(5)).',
    { node: left },
  )
}
