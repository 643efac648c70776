import type ts from 'typescript'

/** The compiler, as a collaborator: some megabytes that a page must not pay for before it needs them. */
export interface TypeScriptTools {
  readonly ts: typeof ts
  /** Replaces types with blanks; calls back for each node that has no JavaScript of the same place. */
  blankSourceFile(source: ts.SourceFile, onUnsupported: (node: ts.Node) => void): string
}

/** Loads the compiler. The host's module cache makes a second call cheap. */
export async function loadTypeScript(): Promise<TypeScriptTools> {
  const [compiler, blank] = await Promise.all([import('typescript'), import('ts-blank-space')])
  return { ts: compiler.default, blankSourceFile: blank.blankSourceFile }
}
