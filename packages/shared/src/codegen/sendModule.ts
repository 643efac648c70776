import type { SideDeclaration, SourceNode, TopologyDocument } from '../document/TopologyDocument.js'
import { buildableNodes } from './buildable.js'
import { GENERATED_HEADER } from './GeneratedFile.js'
import { stringLiteral } from './literals.js'
import { ModuleImports } from './ModuleImports.js'
import { TopologyWriter } from './TopologyWriter.js'
import { topicsOf } from './topicsOf.js'

/** `src/send-main.ts`: what `npm run send` runs, for the topics that the project reads. */
export function sendModule(document: TopologyDocument): string {
  const imports = new ModuleImports(['config', 'readFileSync', 'sendMain', 'topics'])
  const writer = new TopologyWriter(imports, 'run')
  const partitions = new Map(topicsOf(document).map((one) => [one.topic, one.partitions]))
  const sources = buildableNodes(document).nodes.flatMap(({ node }) => (node.kind === 'source' ? [node] : []))
  const readers = new Map<string, SourceNode>()
  for (const source of sources)
    for (const topic of source.properties.topics) if (!readers.has(topic)) readers.set(topic, source)
  const entries = [...readers].map(
    ([topic, { properties }]) =>
      `{ topic: ${stringLiteral(topic)}, partitions: ${partitions.get(topic)}, key: ${writes(properties.key, writer)}, value: ${writes(properties.value, writer)} }`,
  )
  return `${[
    GENERATED_HEADER,
    "import { readFileSync } from 'node:fs'",
    "import { sendMain } from '@lanescope/node'",
    ...imports.lines(),
    '',
    "const config = JSON.parse(readFileSync(new URL('../app.config.json', import.meta.url), 'utf8'))",
    '',
    '/** What the topology reads, and how text becomes a record of it. */',
    `const topics = [${entries.join(', ')}]`,
    '',
    'await sendMain(topics, config)',
  ].join('\n')}\n`
}

/** The serde that a side declares. One that only reads, or that the configuration names, cannot write: text goes out as it is. */
function writes(side: SideDeclaration, writer: TopologyWriter): string {
  if (side.form === 'serde') return writer.serde(side.serde)
  const canWrite = side.form === 'deserializer' && side.deserializer.kind !== 'custom'
  return canWrite ? writer.serde(side.deserializer) : writer.imports.core('string')
}
