import { Produced } from './Produced.js'
import { topologyError } from './topologyError.js'

/** What an argument is, for a message about one that is none of those that a call takes. */
export function kindOf(argument: unknown): string {
  if (argument === null || argument === undefined) return String(argument)
  if (typeof argument === 'string') return `"${argument}"`
  if (typeof argument !== 'object') return `a ${typeof argument}`
  if ('serialize' in argument || 'deserialize' in argument) return 'a serde'
  const maker = Object.getPrototypeOf(argument)?.constructor?.name
  return maker === undefined || maker === '' || maker === 'Object' ? 'an object' : `an object of ${maker}`
}

/** The `Produced` and the parents behind a sink's topic. @throws StreamError TOPOLOGY_INVALID for anything else there */
export function sinkArguments(
  name: string,
  rest: readonly unknown[],
): { readonly produced: Produced<any, any>; readonly parents: readonly string[] } {
  const [first, ...others] = rest
  const isProduced = first instanceof Produced || first === undefined
  const parents = isProduced ? others : rest
  const wrong = parents.find((part) => typeof part !== 'string')
  if (wrong !== undefined || parents.includes(undefined)) {
    throw topologyError(
      `The sink "${name}" got ${kindOf(wrong)} where the names of its parents are expected. Serdes go into one Produced ` +
        `before them: addSink("${name}", topic, Produced.with(keySerde, valueSerde), ...parents).`,
      { node: name },
    )
  }
  return {
    produced: first instanceof Produced ? first : Produced.with(undefined, undefined),
    parents: parents as readonly string[],
  }
}

/** @throws StreamError TOPOLOGY_INVALID for a topic that is neither a name nor a pattern */
export function checkTopics(name: string, topics: readonly unknown[]): void {
  const at = topics.findIndex((topic) => typeof topic !== 'string' && !(topic instanceof RegExp))
  if (at < 0) return
  throw topologyError(
    `The source "${name}" got ${kindOf(topics[at])} for a topic. Give the names of its topics, or one pattern, behind what ` +
      `reads them: addSource("${name}", Consumed.with(keySerde, valueSerde), "topic").`,
    { node: name },
  )
}

/** @throws StreamError TOPOLOGY_INVALID for what can read nothing, such as a topic in its place */
export function checkDeserializer(name: string, side: 'key' | 'value', deserializer: unknown): void {
  if (deserializer === undefined || typeof (deserializer as { deserialize?: unknown })?.deserialize === 'function')
    return
  throw topologyError(
    `The source "${name}" got ${kindOf(deserializer)} for its ${side} deserializer. Say how its topics are read before ` +
      `naming them: addSource("${name}", Consumed.with(keySerde, valueSerde), "topic").`,
    { node: name },
  )
}

/** @throws StreamError TOPOLOGY_INVALID for a parent or processor that is given by something else than its name */
export function checkNames(node: string, what: string, names: readonly unknown[]): void {
  const at = names.findIndex((name) => typeof name !== 'string')
  if (at < 0) return
  throw topologyError(`"${node}" got ${kindOf(names[at])} for ${what}. Give its name.`, { node })
}

/** @throws StreamError TOPOLOGY_INVALID for what is no builder of a store, such as its name */
export function checkBuilder(builder: unknown): void {
  const { name, build } = (builder ?? {}) as { readonly name?: unknown; readonly build?: unknown }
  if (typeof name === 'string' && typeof build === 'function') return
  throw topologyError(
    `A store is added by its builder, and this is ${kindOf(builder)}. Make one: Stores.keyValue("name", keySerde, valueSerde).`,
  )
}
