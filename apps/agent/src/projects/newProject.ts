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
  const config = {
    'application.id': applicationId,
    'default.key.serde': 'string',
    'default.value.serde': 'json',
    'time.mode': 'watermark',
    // Short, because somebody who feeds by hand reaches one partition of several: the others shall not hold the clock.
    'time.idle-after-ms': 1_000,
    'time.max-out-of-orderness-ms': 1_000,
  }
  return {
    topology: writeDocument(emptyDocument(name)),
    config: `${JSON.stringify(config, null, 2)}\n`,
    files: { 'model.ts': MODEL },
  }
}
