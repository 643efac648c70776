import { emptyDocument, writeDocument } from '@lanescope/shared'

const MODEL = `/** The types of this topology's records. A source names its key and value type from here. */
export interface Event {
  readonly type: string
}
`

/** The files of an empty project. */
export function newProject(
  name: string,
  applicationId: string,
): { readonly topology: string; readonly config: string; readonly files: { readonly [path: string]: string } } {
  const config = { 'application.id': applicationId, 'processing.guarantee': 'at-least-once' }
  return {
    topology: writeDocument(emptyDocument(name)),
    config: `${JSON.stringify(config, null, 2)}\n`,
    files: { 'model.ts': MODEL },
  }
}
