import type ts from 'typescript'
import type { TypeScriptTools } from '../TypeScriptTools.js'
import { hostNames, namesTaken } from './hostNames.js'

/** Where compiled code finds its helpers; the linker leads it to `simulatedHelpers`. */
export const HELPERS = 'tslib'

export interface CompiledForSimulation {
  readonly code: string
  /** A source map (version 3) from `code` to the text. */
  readonly map: string
}

/**
 * Compiles a module so that every `await` in it becomes a call of a helper (D2): `async` and async generators are
 * not in ES2016. Names of the host that a simulation holds or refuses are imported from the helpers too.
 */
export function compileForSimulation(path: string, text: string, { ts }: TypeScriptTools): CompiledForSimulation {
  const { outputText, sourceMapText } = ts.transpileModule(text, {
    fileName: path,
    compilerOptions: {
      target: ts.ScriptTarget.ES2016,
      module: ts.ModuleKind.ESNext,
      useDefineForClassFields: true,
      importHelpers: true,
      sourceMap: true,
    },
  })
  const code = outputText.replace(/\n?\/\/# sourceMappingURL=\S*\s*$/, '\n')
  return { code: code + hostImport(path, code, ts), map: sourceMapText ?? '' }
}

/** Behind the code, so that the map stays true: an import counts for the whole module wherever it stands. */
function hostImport(path: string, code: string, compiler: typeof ts): string {
  const script = compiler.createSourceFile(path, code, compiler.ScriptTarget.ES2016, false, compiler.ScriptKind.JS)
  const { used, declared } = namesTaken(script, compiler)
  const names = hostNames.filter((name) => used.has(name) && !declared.has(name))
  return names.length === 0 ? '' : `import { ${names.join(', ')} } from ${JSON.stringify(HELPERS)};\n`
}
