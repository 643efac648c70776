import { keyWindowOf } from '../document/nodeForms.js'
import { describedName } from '../document/partNames.js'
import type { DocumentNode, SinkNode, SourceNode, TopologyDocument } from '../document/TopologyDocument.js'
import { type BuildableNode, buildableNodes } from './buildable.js'
import { GENERATED_HEADER } from './GeneratedFile.js'
import { numberedText, stringLiteral, templateExpression } from './literals.js'
import { ModuleImports } from './ModuleImports.js'
import { type Samples, samplesOf } from './samplesOf.js'
import { TopologyWriter } from './TopologyWriter.js'
import { windowedSerde } from './windowedSerde.js'

const RESERVED = [
  'assert',
  'build',
  'config',
  'driver',
  'input',
  'key',
  'keys',
  'n',
  'output',
  'readFileSync',
  'records',
  'round',
  'test',
  'TopologyTestDriver',
]

/** Each sample is sent twice, this far apart in event time, so that timers and windows get their turn. */
const ROUND_MS = 3_600_000
const ROUNDS = 2
/** A time of no importance, the same in every run. */
const START_MS = Date.UTC(2026, 0, 1)

/** `test/topology.test.ts`: the samples of each source go through the real engine, on the project's own config. */
export function testModule(document: TopologyDocument): string {
  const imports = new ModuleImports(RESERVED, '../src/')
  const writer = new TopologyWriter(imports, 'run')
  const { nodes } = buildableNodes(document)
  const tests = [
    structureTest(nodes),
    ...nodes.flatMap(({ node }) => (node.kind === 'source' ? [sampleTest(node, document, nodes, writer)] : [])),
  ]
  return `${[
    GENERATED_HEADER,
    "import assert from 'node:assert/strict'",
    "import { readFileSync } from 'node:fs'",
    "import { test } from 'node:test'",
    "import { TopologyTestDriver } from '@lanescope/core/testing'",
    ...imports.lines(),
    "import { build } from '../src/topology.js'",
    '',
    "const config = JSON.parse(readFileSync(new URL('../../app.config.json', import.meta.url), 'utf8'))",
    '',
    tests.join('\n\n'),
  ].join('\n')}\n`
}

function structureTest(nodes: readonly BuildableNode[]): string {
  const names = nodes.map(({ node }) => stringLiteral(describedName(node))).join(', ')
  return `test('has every node of the drawing', () => {
  const description = build().describe()
  for (const node of [${names}]) {
    assert.ok(description.includes(\`: \${node} (\`), \`\${node} is missing in:\\n\${description}\`)
  }
})`
}

function sampleTest(
  source: SourceNode,
  document: TopologyDocument,
  nodes: readonly BuildableNode[],
  writer: TopologyWriter,
): string {
  const topic = source.properties.topics[0] as string
  const samples = samplesOf(source, document)
  const title = stringLiteral(`takes the sample records of ${source.name}`)
  if (samples === undefined) {
    const reason = stringLiteral(`topology.json has no generator for ${topic}, so no values to send`)
    return `test(${title}, { skip: ${reason} }, () => {})`
  }
  const { keys, keySerde, key } = sampleKeys(source, document, samples, writer)
  const sinks = nodes.flatMap(({ node }) =>
    node.kind === 'sink' && descends(node.id, source.id, document) ? [node] : [],
  )
  return `test(${title}, async () => {
  const driver = new TopologyTestDriver(build(), config)
  const input = driver.createInputTopic(${stringLiteral(topic)}, ${keySerde}, ${writer.serde(samples.value)})
  const keys = [${keys.join(', ')}]
  for (let round = 0; round < ${ROUNDS}; round++) {
    for (const [n, key] of keys.entries()) {
      await input.pipeInput(${key}, ${templateExpression(samples.template)}, ${START_MS} + round * ${ROUND_MS} + n)
    }
  }
${sinks.map((sink) => outputCheck(sink, source, document, writer)).join('\n')}
  await driver.close()
})`
}

/** Recorded bytes where there are some, else the generator's own keys. */
function sampleKeys(source: SourceNode, document: TopologyDocument, samples: Samples, writer: TopologyWriter) {
  const hex = document.samples[source.id]?.keys ?? []
  if (hex.length > 0) {
    const { imports } = writer
    return { keys: hex.map(stringLiteral), keySerde: imports.core('byteArray'), key: `${imports.core('fromHex')}(key)` }
  }
  const isText = samples.key.kind !== 'built-in' || samples.key.name === 'string'
  const keys = samples.keys.map((text) => (isText ? numberedText(text).replaceAll('\x24{n}', '0') : text))
  return { keys, keySerde: writer.serde(samples.key), key: 'key' }
}

/** Whatever comes out can be read by what the sink declares; where no code of the user's lies between, its number is known. */
function outputCheck(sink: SinkNode, source: SourceNode, document: TopologyDocument, writer: TopologyWriter): string {
  const { key, value, topic } = sink.properties
  const raw = () => writer.imports.core('byteArray')
  const parent = document.nodes.find(({ id }) => document.edges.some((edge) => edge.to === sink.id && edge.from === id))
  const window = parent === undefined ? undefined : keyWindowOf(document, parent)
  const keySerde = key === undefined ? raw() : windowedSerde(key, window, writer)
  const ways = source.properties.table === undefined ? waysWithoutCode(source.id, sink.id, document) : undefined
  const count =
    ways === undefined
      ? ''
      : `\n    assert.equal(records.length, ${ways === 1 ? '' : `${ways} * `}${ROUNDS} * keys.length)`
  return `  {
    const output = driver.createOutputTopic(${stringLiteral(topic)}, ${keySerde}, ${value === undefined ? raw() : writer.serde(value)})
    const records = output.readRecordsToList()${count}
    for (const { timestamp } of records) assert.ok(timestamp >= ${START_MS})
  }`
}

function descends(id: string, from: string, document: TopologyDocument): boolean {
  return id === from || document.edges.some((edge) => edge.from === from && descends(id, edge.to, document))
}

/** Whether a node gives one record for each that it takes, whatever is in it. */
function givesOneEach(node: DocumentNode): boolean {
  if (node.kind === 'transform') return node.properties.op === 'peek'
  if (node.kind === 'windowed-count') {
    const { advanceMs, emit } = node.properties
    return advanceMs === undefined && emit === undefined
  }
  return node.kind === 'sink' || node.kind === 'merge' || node.kind === 'repartition' || node.kind === 'count'
}

/** How many ways lead from a source to a sink; undefined when one passes what may give more or fewer, or another source leads there too. */
function waysWithoutCode(sourceId: string, sinkId: string, document: TopologyDocument): number | undefined {
  const nodes = new Map(document.nodes.map((node) => [node.id, node]))
  const ways = (id: string): number | undefined => {
    if (id === sourceId) return 1
    const node = nodes.get(id)
    if (node === undefined || !givesOneEach(node)) return undefined
    let sum = 0
    for (const { from } of document.edges.filter((edge) => edge.to === id)) {
      const one = ways(from)
      if (one === undefined) return undefined
      sum += one
    }
    return sum
  }
  return ways(sinkId)
}
