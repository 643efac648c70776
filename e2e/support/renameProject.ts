import { bothEncodings, hex, keysThat } from './lanes.js'
import type { ProjectFolder } from './ProjectFolder.js'

interface Named {
  id: string
  name: string
}

interface Document {
  name: string
  nodes: (Named & { kind: string; properties: { topics?: string[]; topic?: string; stores?: string[] } })[]
  edges: { id: string; from: string; to: string }[]
  stores: Named[]
  samples: Record<string, { keys: string[] }>
  generators: { topic: string; phases: { keys: string[] }[] }[]
}

/** What a renamed project is told apart by. */
export interface RenamedProject {
  /** Names of its nodes, in the order of the document. */
  readonly nodes: readonly string[]
  /** A key whose two encodings choose different lanes. */
  readonly key: string
  readonly lanes: number
}

/**
 * Gives every node, topic, store and key of a project another name, and another number of lanes: what holds for it must
 * not hang on what things are called. Keys of the first phase of its traffic agree by luck, as they did before.
 */
export async function renameProject(project: ProjectFolder, lanes: number): Promise<RenamedProject> {
  const document = await project.json<Document>('topology.json')
  const agree = keysThat('agree', 'user-', lanes, 3)
  const [key = ''] = keysThat('split', 'user-', lanes, 1)
  const storesBefore = document.stores.map(({ name }) => name)
  renameGraph(document)
  for (const sample of Object.values(document.samples)) sample.keys = [key, ...agree].map((one) => hexOf(one))
  for (const { phases } of document.generators) {
    for (const [index, phase] of phases.entries()) {
      // As many keys as before: how long each one pauses is what lets its timer fire.
      const lucky = keysThat('agree', 'user-', lanes, phase.keys.length - (index === 0 ? 0 : 1))
      phase.keys = index === 0 ? [...lucky] : [key, ...lucky]
    }
  }
  await project.write('topology.json', document)
  const config = await project.json<Record<string, unknown>>('app.config.json')
  await project.write('app.config.json', { ...config, 'application.id': 'renamed', 'lanes.count': lanes })
  await renameInCode(
    project,
    storesBefore,
    document.stores.map(({ name }) => name),
  )
  return { nodes: document.nodes.map(({ name }) => name), key, lanes }
}

function renameGraph(document: Document): void {
  const ids = new Map(document.nodes.map(({ id }, index) => [id, `step-${index}`]))
  const storeIds = new Map(document.stores.map(({ id }, index) => [id, `kept-${index}`]))
  const topics = new Map<string, string>()
  const topic = (name: string) => {
    if (!topics.has(name)) topics.set(name, `flow-${topics.size}`)
    return topics.get(name) ?? ''
  }
  const id = (before: string) => ids.get(before) ?? before
  document.name = 'renamed'
  for (const [index, node] of document.nodes.entries()) {
    const { properties } = node
    node.id = id(node.id)
    node.name = `stage-${index}`
    if (properties.topics) properties.topics = properties.topics.map(topic)
    if (properties.topic !== undefined) properties.topic = topic(properties.topic)
    if (properties.stores) properties.stores = properties.stores.map((one) => storeIds.get(one) ?? one)
  }
  for (const [index, store] of document.stores.entries()) {
    store.id = storeIds.get(store.id) ?? store.id
    store.name = `shelf-${index}`
  }
  document.edges = document.edges.map(({ from, to }, index) => ({ id: `wire-${index}`, from: id(from), to: id(to) }))
  document.samples = Object.fromEntries(Object.entries(document.samples).map(([node, sample]) => [id(node), sample]))
  for (const generator of document.generators) generator.topic = topic(generator.topic)
}

/** User code knows a store by the constant that is generated for it. */
async function renameInCode(
  project: ProjectFolder,
  before: readonly string[],
  after: readonly string[],
): Promise<void> {
  for (const file of await project.files()) {
    if (!/^src\/.*\.ts$/.test(file)) continue
    let text = await project.text(file)
    for (const [index, name] of before.entries())
      text = text.replaceAll(constantOf(name), constantOf(after[index] ?? ''))
    await project.write(file, text)
  }
}

function constantOf(storeName: string): string {
  return storeName.replace(/[-._]+([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
}

function hexOf(key: string): string {
  return hex(bothEncodings(key).quoted).replaceAll(' ', '')
}
