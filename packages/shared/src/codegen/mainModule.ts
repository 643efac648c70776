import type { TopologyDocument } from '../document/TopologyDocument.js'
import { GENERATED_HEADER } from './GeneratedFile.js'
import { stringLiteral } from './literals.js'
import { topicsOf } from './topicsOf.js'

/** `src/main.ts`: what `npm start` runs. */
export function mainModule(document: TopologyDocument): string {
  const topics = topicsOf(document).map(
    ({ topic, partitions }) => `{ topic: ${stringLiteral(topic)}, partitions: ${partitions} }`,
  )
  return `${GENERATED_HEADER}
import { readFileSync } from 'node:fs'
import { runMain } from '@lanescope/node'
import { build } from './topology.js'

const config = JSON.parse(readFileSync(new URL('../app.config.json', import.meta.url), 'utf8'))

/** Made on the embedded log where they do not exist. */
const topics = [${topics.join(', ')}]

await runMain(build, config, { topics })
`
}
