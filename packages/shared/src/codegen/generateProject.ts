import type { TopologyDocument } from '../document/TopologyDocument.js'
import { formatTypeScript } from './formatTypeScript.js'
import type { GeneratedFile } from './GeneratedFile.js'
import { generateTopology } from './generateTopology.js'
import { mainModule } from './mainModule.js'
import { GITIGNORE, packageJson, readme, tsconfig, tsconfigForTests, type VendorFile } from './projectFiles.js'
import { sendModule } from './sendModule.js'
import { testModule } from './testModule.js'
import { TRAFFIC_MAIN, trafficModule } from './trafficModule.js'

export interface ProjectOptions {
  /** The packages of ours that travel along, those that others of ours need included. */
  readonly vendor: readonly VendorFile[]
  /** Whether the TypeScript is laid out for people; true unless given. */
  readonly formatted?: boolean
}

/** The modules under `src/` that a document generates, laid out for people. What a project's folder holds. */
export async function generateSources(document: TopologyDocument, formatted = true): Promise<GeneratedFile[]> {
  return formatAll(sources(document), formatted)
}

/** Everything of an exported project but what people wrote and the tarballs. */
export async function generateProject(document: TopologyDocument, options: ProjectOptions): Promise<GeneratedFile[]> {
  const code = [
    ...sources(document),
    { path: 'src/main.ts', text: mainModule(document) },
    { path: 'src/send-main.ts', text: sendModule(document) },
    ...(document.generators.length === 0 ? [] : [{ path: 'src/traffic-main.ts', text: TRAFFIC_MAIN }]),
    { path: 'test/topology.test.ts', text: testModule(document) },
  ]
  return [
    ...(await formatAll(code, options.formatted ?? true)),
    { path: 'package.json', text: packageJson(document, options.vendor) },
    { path: 'tsconfig.json', text: tsconfig() },
    { path: 'tsconfig.test.json', text: tsconfigForTests() },
    { path: 'README.md', text: readme(document) },
    { path: '.gitignore', text: GITIGNORE },
  ]
}

function sources(document: TopologyDocument): GeneratedFile[] {
  const traffic = trafficModule(document)
  return [
    ...generateTopology(document).files,
    ...(traffic === undefined ? [] : [{ path: 'src/traffic.ts', text: traffic }]),
  ]
}

function formatAll(files: readonly GeneratedFile[], formatted: boolean): Promise<GeneratedFile[]> {
  return Promise.all(
    files.map(async ({ path, text }) => ({ path, text: formatted ? await formatTypeScript(text) : text })),
  )
}
