import type { TopologyDocument } from '../document/TopologyDocument.js'
import { buildableNodes } from './buildable.js'
import { samplesOf } from './samplesOf.js'

/** One of our packages as a packed tarball that travels with an export. */
export interface VendorFile {
  /** `@lanescope/core`. */
  readonly name: string
  /** Its name under `vendor/`: `lanescope-core-0.1.0.tgz`. */
  readonly file: string
}

/** The compiler that generated projects are written for. */
const TYPESCRIPT = '6.0.3'
const TYPES_NODE = '20.19.43'

/**
 * Every package of ours is named as a file, those that only others of ours need too:
 * npm would ask the registry for any that is not.
 */
export function packageJson(document: TopologyDocument, vendor: readonly VendorFile[]): string {
  const scripts = {
    // Records are short-lived: half of V8's usual room for young objects is as quick, and stays out of memory.
    start: 'tsc && node --max-semi-space-size=8 dist/main.js',
    test: 'tsc -p tsconfig.test.json && node --test dist-test/test/topology.test.js',
    send: 'tsc && node dist/send-main.js',
    ...(document.generators.length === 0 ? {} : { traffic: 'tsc && node dist/traffic-main.js' }),
  }
  return json({
    name: packageName(document.name),
    version: '0.1.0',
    private: true,
    type: 'module',
    engines: { node: '>=20.19' },
    scripts,
    dependencies: Object.fromEntries(vendor.map(({ name, file }) => [name, `file:vendor/${file}`])),
    devDependencies: { '@types/node': TYPES_NODE, typescript: TYPESCRIPT },
  })
}

/** A document's name is any topic's; a package's is lower-case and does not begin with a dot, a dash or an underscore. */
export function packageName(name: string): string {
  return name.toLowerCase().replace(/^[._-]+/, '') || 'topology'
}

const COMPILER_OPTIONS = {
  target: 'ES2023',
  module: 'NodeNext',
  lib: ['ES2023'],
  types: ['node'],
  strict: true,
  skipLibCheck: true,
  noEmitOnError: true,
  sourceMap: true,
}

export function tsconfig(): string {
  return json({ compilerOptions: { ...COMPILER_OPTIONS, rootDir: 'src', outDir: 'dist' }, include: ['src'] })
}

/** Sources and tests together, into a folder of their own, so that `dist` holds what runs and nothing else. */
export function tsconfigForTests(): string {
  return json({ compilerOptions: { ...COMPILER_OPTIONS, rootDir: '.', outDir: 'dist-test' }, include: ['src', 'test'] })
}

export const GITIGNORE = 'node_modules/\ndist/\ndist-test/\n.lanescope/\n'

export function readme(document: TopologyDocument): string {
  const traffic =
    document.generators.length === 0 ? '' : '\n`npm run traffic`, in a second terminal, sends the test traffic.\n'
  return `# ${document.name}

A keyed stream-processing topology, drawn with Lanescope and runnable without it. Needs Node 20.19 or later.

\`\`\`
npm install
npm start
\`\`\`

runs it on an embedded log in \`.lanescope/\`. On Kafka:

\`\`\`
npm start -- --bootstrap-servers localhost:9092
\`\`\`

\`npm run send -- TOPIC KEY VALUE\`, in a second terminal, sends one record to a topic that it reads.
${traffic}
${testsText(document)}

- \`topology.json\` is the drawing; Lanescope opens this folder as a project.
- \`src/topology.ts\`, and what else says so in its first line, is generated from it. The rest of \`src/\` is yours.
- \`vendor/\` holds the packages of the engine until they are published.
`
}

/** What the generated test does and what it cannot: a test that is skipped is green, too. */
function testsText(document: TopologyDocument): string {
  const sources = buildableNodes(document).nodes.flatMap(({ node }) => (node.kind === 'source' ? [node] : []))
  const without = sources.filter((source) => samplesOf(source, document) === undefined).map(({ name }) => `\`${name}\``)
  const sends = '`npm test` sends sample records through the topology, on the settings of `app.config.json`.'
  if (without.length === 0) return sends
  const skipped =
    `It makes no records for ${without.join(', ')}, and skips those tests: \`topology.json\` has no test traffic for ` +
    'them. `npm run send` feeds them by hand; a test of your own goes beside `test/topology.test.ts`.'
  return without.length === sources.length
    ? `\`npm test\` checks that the topology has every node of the drawing. ${skipped}`
    : `${sends} ${skipped}`
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`
}
