import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { emptyDocument, type TopologyDocument, writeDocument } from '@lanescope/shared'

/** A source, one processor with code of the test's, and a sink; JSON strings as keys and values. */
export function relayDocument(name: string): TopologyDocument {
  const string = { kind: 'built-in', name: 'string' } as const
  const side = { form: 'serde', serde: string } as const
  const at = { x: 0, y: 0 }
  return {
    ...emptyDocument(name),
    nodes: [
      {
        id: 'in',
        kind: 'source',
        name: 'in',
        position: at,
        properties: { topics: ['in'], keyType: 'string', valueType: 'string', key: side, value: side },
      },
      {
        id: 'relay',
        kind: 'processor',
        name: 'relay',
        position: at,
        properties: { code: { module: './relay', export: 'Relay' }, timers: [], stores: [] },
      },
      { id: 'out', kind: 'sink', name: 'out', position: at, properties: { topic: 'out', key: string, value: string } },
    ],
    edges: [
      { id: 'in-relay', from: 'in', to: 'relay' },
      { id: 'relay-out', from: 'relay', to: 'out' },
    ],
  }
}

/** The code of `relay`, around the body of its `process(record, ctx)`. */
export function relayCode(body: string): string {
  return `import type { CallbackContext, Processor, Record } from '@lanescope/core'

export class Relay implements Processor<string, string, string, string> {
  async process(record: Record<string, string>, ctx: CallbackContext<string, string, string>): Promise<void> {
    ${body}
  }
}
`
}

/** Writes a project's folder as an editor would. */
export async function writeProject(
  folder: string,
  document: TopologyDocument,
  files: { readonly [path: string]: string },
): Promise<void> {
  const config = { 'application.id': document.name, 'processing.guarantee': 'at-least-once', 'lanes.count': 2 }
  const all = {
    'topology.json': writeDocument(document),
    'app.config.json': JSON.stringify(config),
    'src/model.ts': 'export {}\n',
    ...Object.fromEntries(Object.entries(files).map(([path, text]) => [`src/${path}`, text])),
  }
  for (const [path, text] of Object.entries(all)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }
}
