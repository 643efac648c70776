import type { TopologyDocument } from '../document/TopologyDocument.js'
import type { ModuleHost } from '../loader/BlobLinker.js'

/** What is about to run code of the user's, so that whoever waits can name it when it does not come back. */
export type AnalysisPhase =
  | { readonly step: 'evaluate'; readonly file: string }
  | { readonly step: 'build' }
  | { readonly step: 'samples'; readonly nodeId: string; readonly place: string }

/** Where an analysis runs: a worker of the page, or a test. */
export interface AnalysisHost extends ModuleHost {
  /** Namespaces that user code may import, by specifier; registered with `providePackages` too. */
  readonly packages: ReadonlyMap<string, object>
  /** Milliseconds, for durations only. */
  now(): number
  onPhase?(phase: AnalysisPhase): void
}

/** Code that ran too long when it was last analysed, and so is left alone now. */
export interface Overrun {
  readonly phase: AnalysisPhase
  readonly message: string
}

export interface AnalysisInput {
  readonly document: TopologyDocument
  /** The user's files by path under `src/`. */
  readonly files: { readonly [path: string]: string }
  readonly config: { readonly [key: string]: unknown }
  readonly overruns?: readonly Overrun[]
}
