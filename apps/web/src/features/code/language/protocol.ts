import type { CodeDiagnostic } from '../../../model/CodeDiagnostic.js'

/** What the editor asks of the language worker. Offsets are UTF-16 units from the start of the file, as in CodeMirror. */
export type LanguageRequest =
  | { readonly type: 'sync'; readonly files: { readonly [path: string]: string } }
  | { readonly type: 'check'; readonly paths: readonly string[] }
  | { readonly type: 'complete'; readonly path: string; readonly offset: number }
  | { readonly type: 'detail'; readonly path: string; readonly offset: number; readonly entry: CompletionEntry }
  | { readonly type: 'describe'; readonly path: string; readonly offset: number }
  | { readonly type: 'signature'; readonly path: string; readonly offset: number }

export interface LanguageResults {
  readonly sync: null
  readonly check: readonly CodeDiagnostic[]
  readonly complete: Completions | null
  readonly detail: CompletionDetail | null
  readonly describe: Description | null
  readonly signature: Signature | null
}

export type LanguageCall = LanguageRequest & { readonly id: number }
export type LanguageReply =
  | { readonly id: number; readonly ok: true; readonly result: LanguageResults[keyof LanguageResults] }
  | { readonly id: number; readonly ok: false; readonly message: string }

/** TypeScript's own word for what an entry is: `method`, `interface`, `const` … */
export interface CompletionEntry {
  readonly name: string
  readonly kind: string
  readonly sortText: string
  readonly insertText?: string
  /** The module it would be imported from. */
  readonly source?: string
  /** The compiler's own note on an entry to import; handed back as it came. */
  readonly data?: unknown
}

export interface Completions {
  readonly entries: readonly CompletionEntry[]
  /** Whether they are members of what stands before the dot. */
  readonly members: boolean
}

export interface TextEdit {
  readonly from: number
  readonly to: number
  readonly insert: string
}

export interface CompletionDetail {
  readonly signature: string
  readonly documentation: string
  /** Edits of the same file that come along: an import. */
  readonly edits: readonly TextEdit[]
}

export interface Description {
  readonly from: number
  readonly to: number
  readonly signature: string
  readonly documentation: string
}

export interface Signature {
  readonly label: string
  /** Span of the parameter at the cursor within `label`. */
  readonly active: readonly [from: number, to: number] | null
  readonly documentation: string
}
