import { ownStoreOf, type TopologyDocument } from '@lanescope/shared'

/** Why a name will not do, by Kafka's rule; undefined when it will. */
export function kafkaNameProblem(name: string): string | undefined {
  if (name === '') return 'A name is needed.'
  if (name.length > 249) return `A name has at most 249 characters; this has ${name.length}.`
  if (name === '.' || name === '..') return `"${name}" cannot be a name.`
  const bad = /[^A-Za-z0-9._-]/.exec(name)
  if (bad) return `"${bad[0]}" cannot be in a name: use ASCII letters, digits, ".", "_" and "-".`
  return undefined
}

/** Why these topics cannot be read together; undefined when they can. */
export function topicsProblem(topics: readonly string[]): string | undefined {
  const problem = topics.map(kafkaNameProblem).find((one) => one !== undefined)
  if (problem !== undefined) return problem
  const again = topics.find((topic, at) => topics.indexOf(topic) !== at)
  return again === undefined ? undefined : `${again} stands there twice: a source reads each topic once.`
}

/** Why a node cannot be called so. */
export function nodeNameProblem(document: TopologyDocument, id: string, name: string): string | undefined {
  const problem = kafkaNameProblem(name)
  if (problem !== undefined) return problem
  if (document.nodes.some((node) => node.id !== id && node.name === name)) return `Another node is called ${name}.`
  return undefined
}

/** Why a store cannot be called so; counts, tables and joins have stores too. */
export function storeNameProblem(document: TopologyDocument, id: string, name: string): string | undefined {
  const problem = kafkaNameProblem(name)
  if (problem !== undefined) return problem
  const taken =
    document.stores.some((store) => store.id !== id && store.name === name) ||
    document.nodes.some((node) => node.id !== id && ownStoreOf(node) === name)
  return taken ? `Another store is called ${name}.` : undefined
}
