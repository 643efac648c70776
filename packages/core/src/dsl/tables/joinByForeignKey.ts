import { Stores } from '../../state/builders/Stores.js'
import { Consumed } from '../../topology/Consumed.js'
import type { ProcessorDefinition, RepartitionDefinition } from '../../topology/NodeDefinition.js'
import { Produced } from '../../topology/Produced.js'
import type { TopologyWriter } from '../../topology/TopologyWriter.js'
import type { DslPlan } from '../DslPlan.js'
import { KeyBytes } from '../foreignKeys/KeyBytes.js'
import { hashSerde } from '../foreignKeys/Subscription.js'
import { subscriptionKeySerde } from '../foreignKeys/subscriptionKey.js'
import type { Materialized } from '../Materialized.js'
import { foreignKeyRegistration } from '../operators/foreignKeyRegistration.js'
import { foreignKeyResolve } from '../operators/foreignKeyResolve.js'
import {
  foreignKeyJoin,
  foreignKeyReceive,
  foreignRowChange,
  type SubscriptionStore,
} from '../operators/foreignKeySubscriptions.js'
import { tableSource } from '../operators/tableSource.js'
import type { TableNode } from '../TableNode.js'
import { tableStore } from '../TableStore.js'
import { SourceTable } from './SourceTable.js'

interface Side {
  readonly node: string
  readonly table: TableNode<any, any>
}

/** A join of two tables by a key that is found in the left one's rows. */
export interface ForeignKeyJoin {
  readonly left: Side
  readonly right: Side
  readonly extractor: (value: any, key: any) => unknown
  readonly joiner: (left: any, right: any, key: any) => unknown
  readonly isLeftJoin: boolean
  readonly name: string | undefined
  readonly materialized: Materialized<any, any> | undefined
}

/**
 * Writes a foreign-key join down (C.5): left rows subscribe on the lane of their foreign key, are answered there, also
 * when the right row changes, and the answers cross back to the left row's lane, where they become results.
 */
export function joinByForeignKey(plan: DslPlan, join: ForeignKeyJoin): { node: string; table: TableNode<any, any> } {
  const names = foreignKeyNames(plan, join.name)
  const storeName = join.materialized?.options.storeName
  const storeAs = storeName ?? plan.name('KTABLE-FK-JOIN-OUTPUT-STATE-STORE-')
  const left = new KeyBytes(names.registration, `${names.registrationTopic}-pk`)
  const right = new KeyBytes(names.change, `${names.registrationTopic}-fk`)
  // What a row was tells which key it has left, and whether there is a result to take back.
  join.right.table.requestOldValues(true)
  join.left.table.requestOldValues(true)
  const parts = { plan, join, names, left, right }
  addRegistration(parts)
  addAnswers(parts)
  addResolver(parts)
  const store = tableStore<any, any>(storeAs, join.materialized?.options ?? {}, plan.config)
  const table = new SourceTable<any, any>(store, storeName !== undefined)
  addResult(parts, table, storeAs)
  return { node: names.output, table }
}

interface Parts {
  readonly plan: DslPlan
  readonly join: ForeignKeyJoin
  readonly names: Names
  readonly left: KeyBytes
  readonly right: KeyBytes
}

/** Left rows ask, on their way to the lane of their foreign key. */
function addRegistration({ plan, join, names, left, right }: Parts): void {
  const { extractor, isLeftJoin } = join
  plan.add((writer) => {
    const { versioned } = join.left.table
    const registration = { node: names.registration, extractor, isLeftJoin, versioned, left, right }
    addNode(writer, names.registration, [join.left.node], foreignKeyRegistration(registration), 'changed')
  })
  plan.add((writer) =>
    addCrossing(writer, names.registrationSink, names.registrationSource, {
      ...crossing(names.registrationTopic, names.registration),
      keysOf: join.right.node,
    }),
  )
}

/** They are answered there, at once and whenever the right row changes, and the answers go back. */
function addAnswers({ plan, join, names, left, right }: Parts): void {
  const subscriptions = subscriptionStore(plan, names.store)
  const view = join.right.table.view()
  plan.add((writer) =>
    addNode(writer, names.receive, [names.registrationSource], foreignKeyReceive(subscriptions, right), 'same'),
  )
  plan.add((writer) => addNode(writer, names.join, [names.receive], foreignKeyJoin(view, right), 'changed'))
  plan.add((writer) => {
    const { versioned } = join.right.table
    const change = foreignRowChange({ node: names.change, store: subscriptions, left, right, versioned })
    addNode(writer, names.change, [join.right.node], change, 'changed')
  })
  plan.add((writer) =>
    addCrossing(writer, names.responseSink, names.responseSource, {
      ...crossing(names.responseTopic, names.join),
      alsoFrom: [names.change],
      keysOf: join.left.node,
    }),
  )
}

/** Answers become results. */
function addResolver({ plan, join, names, left }: Parts): void {
  const { joiner, isLeftJoin } = join
  const view = join.left.table.view()
  plan.add((writer) => {
    const resolve = foreignKeyResolve({ node: names.resolver, joiner, isLeftJoin, table: view, left })
    addNode(writer, names.resolver, [names.responseSource], resolve, 'same')
  })
}

/** Results are the rows of a table. */
function addResult({ plan, join, names }: Parts, table: SourceTable<any, any>, storeAs: string): void {
  const { keySerde, valueSerde, logging } = join.materialized?.options ?? {}
  plan.add(
    (writer) =>
      writer.addProcessor({
        name: names.output,
        parents: [names.resolver],
        supplier: tableSource(table.isKept ? table.store : undefined, table.sendsOldValues),
        userCode: false,
        keyEffect: { kind: 'same' },
        valueEffect: 'same',
        materialized: keySerde === undefined ? {} : { key: keySerde },
        ...(table.isKept && { aggregateStore: storeAs }),
        output: valueSerde === undefined ? {} : { value: valueSerde },
        facts: { operator: 'foreignKeyResult' },
      }),
    { ownStore: { store: storeAs, logging: logging !== false } },
  )
}

type Names = ReturnType<typeof foreignKeyNames>

/** One number for each, in Kafka's order, whether they are named or not. */
function foreignKeyNames(plan: DslPlan, name: string | undefined) {
  const named = (prefix: string, suffix: string) => plan.name(prefix, name && `${name}${suffix}`)
  const topic = (prefix: string, suffix: string) => named(prefix, suffix) + (name === undefined ? '-topic' : '')
  const processor = 'KTABLE-FK-JOIN-SUBSCRIPTION-PROCESSOR-'
  return {
    registrationTopic: topic('KTABLE-FK-JOIN-SUBSCRIPTION-REGISTRATION-', '-subscription-registration-topic'),
    registration: named('KTABLE-FK-JOIN-SUBSCRIPTION-REGISTRATION-', '-subscription-registration-processor'),
    registrationSink: named('KTABLE-SINK-', '-subscription-registration-sink'),
    registrationSource: named('KTABLE-SOURCE-', '-subscription-registration-source'),
    store: named('KTABLE-FK-JOIN-SUBSCRIPTION-STATE-STORE-', '-subscription-store'),
    receive: named(processor, '-subscription-receive'),
    join: named(processor, '-subscription-join-foreign'),
    change: named(processor, '-foreign-join-subscription'),
    responseTopic: topic('KTABLE-FK-JOIN-SUBSCRIPTION-RESPONSE-', '-subscription-response-topic'),
    responseSink: named('KTABLE-SINK-', '-subscription-response-sink'),
    responseSource: named('KTABLE-SOURCE-', '-subscription-response-source'),
    resolver: named('KTABLE-FK-JOIN-SUBSCRIPTION-RESPONSE-RESOLVER-PROCESSOR-', '-subscription-response-resolver'),
    output: named('KTABLE-FK-JOIN-OUTPUT-', '-result'),
  }
}

function subscriptionStore(plan: DslPlan, name: Names['store']): SubscriptionStore {
  const inMemory = plan.config['dsl.store.suppliers.class'] === 'inMemory'
  return inMemory
    ? Stores.inMemoryKeyValue(name, subscriptionKeySerde, hashSerde)
    : Stores.keyValue(name, subscriptionKeySerde, hashSerde)
}

function crossing(topic: string, from: string) {
  return { from, by: 'Joined', topic, declared: {}, private: true } as const
}

function addNode(
  writer: TopologyWriter,
  name: string,
  parents: readonly string[],
  supplier: ProcessorDefinition['supplier'],
  key: 'same' | 'changed',
): void {
  writer.addProcessor({
    name,
    parents,
    supplier,
    userCode: false,
    keyEffect: { kind: key },
    valueEffect: 'changed',
    facts: { operator: 'foreignKeyJoin' },
  })
}

/** A boundary whose values are the engine's own. */
function addCrossing(writer: TopologyWriter, sink: string, source: string, repartition: RepartitionDefinition): void {
  const undeclared = Produced.with<any, any>(undefined, undefined)
  const parents = [repartition.from, ...(repartition.alsoFrom ?? [])]
  writer.addSink({ name: sink, topic: repartition.topic, produced: undeclared, parents, repartition: true })
  const consumed = Consumed.with<any, any>(undefined, undefined)
  writer.addSource({ name: source, topics: [repartition.topic], consumed, repartition })
}
