import type { DocumentGenerator, TopologyDocument } from '../document/TopologyDocument.js'
import { GENERATED_HEADER } from './GeneratedFile.js'
import { stringLiteral } from './literals.js'
import { ModuleImports } from './ModuleImports.js'
import { TopologyWriter } from './TopologyWriter.js'

/** `src/traffic.ts`, the generators as data, or undefined when there are none. Importing it sends nothing. */
export function trafficModule(document: TopologyDocument): string | undefined {
  if (document.generators.length === 0) return undefined
  const imports = new ModuleImports(['generators', 'TrafficGenerator'])
  const writer = new TopologyWriter(imports, 'run')
  const entries = document.generators.map((generator) => generatorEntry(generator, writer))
  return `${[
    GENERATED_HEADER,
    "import type { TrafficGenerator } from '@lanescope/node'",
    ...imports.lines(),
    '',
    '/** Test traffic, written as a foreign producer would: with serdes of its own. */',
    `export const generators: readonly TrafficGenerator[] = [${entries.join(', ')}]`,
  ].join('\n')}\n`
}

function generatorEntry(generator: DocumentGenerator, writer: TopologyWriter): string {
  const { topic, partitions, key, value, phases, template, time } = generator
  const fields = [
    `topic: ${stringLiteral(topic)}`,
    `partitions: ${partitions}`,
    `key: ${writer.serde(key)}`,
    `value: ${writer.serde(value)}`,
    `phases: ${JSON.stringify(phases)}`,
    // JSON is TypeScript but for __proto__, which as a literal's field would set the prototype.
    `template: ${JSON.stringify(template).replaceAll('"__proto__":', '["__proto__"]:')}`,
    ...(time === undefined ? [] : [`time: ${JSON.stringify(time)}`]),
  ]
  return `{ ${fields.join(', ')} }`
}

/** `src/traffic-main.ts`: what `npm run traffic` runs. */
export const TRAFFIC_MAIN = `${GENERATED_HEADER}
import { readFileSync } from 'node:fs'
import { trafficMain } from '@lanescope/node'
import { generators } from './traffic.js'

const config = JSON.parse(readFileSync(new URL('../app.config.json', import.meta.url), 'utf8'))

await trafficMain(generators, config)
`
