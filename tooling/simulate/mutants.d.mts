export interface MutantEdit {
  readonly file: string
  readonly find: string
  readonly replace: string
}

export interface Mutant extends MutantEdit {
  readonly name: string
  readonly stateful?: 'faults' | 'crashes'
  readonly also?: readonly MutantEdit[]
}

export declare const mutants: readonly Mutant[]

export declare function plant(mutant: Mutant): {
  /** Texts that were not found. */
  missed(): readonly string[]
  readonly plugin: {
    readonly name: string
    readonly enforce: 'pre'
    transform(code: string, id: string): { readonly code: string; readonly map: null } | undefined
  }
}
