import type ts from 'typescript'
import type { FilePosition, LoadProblem } from './LoadedModule.js'
import { type ModuleShape, readShape, readTypeNames, type TypeNames } from './readShape.js'
import type { TypeScriptTools } from './TypeScriptTools.js'

/** A file on its own, before anything is known of the others. */
export interface ParsedModule {
  readonly path: string
  readonly code: string
  readonly positions: 'kept' | 'moved'
  readonly shape: ModuleShape
  readonly types: TypeNames
  /** Where each specifier first stands in the source. */
  readonly places: ReadonlyMap<string, FilePosition>
  readonly problems: readonly LoadProblem[]
}

/** Turns TypeScript into JavaScript and reads what it imports and exports. What is wrong with the text is in `problems`. */
export function parseModule(path: string, text: string, tools: TypeScriptTools): ParsedModule {
  const { ts } = tools
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.ESNext, false, ts.ScriptKind.TS)
  const syntax = syntaxProblems(path, source, ts)
  const { code, positions } =
    syntax.length === 0 ? eraseTypes(source, text, tools) : { code: '', positions: 'kept' as const }
  const script = ts.createSourceFile(path, code, ts.ScriptTarget.ESNext, false, ts.ScriptKind.JS)
  const shape = readShape(script, ts)
  const awaits = shape.topLevelAwait === undefined ? [] : [topLevelAwait(path, script, shape.topLevelAwait, ts)]
  return {
    path,
    code,
    positions,
    shape,
    types: readTypeNames(source, ts),
    places: specifierPlaces(source, ts),
    problems: [...syntax, ...awaits],
  }
}

function eraseTypes(source: ts.SourceFile, text: string, { ts, blankSourceFile }: TypeScriptTools) {
  let refused = false
  const code = blankSourceFile(source, () => {
    refused = true
  })
  if (!refused) return { code, positions: 'kept' as const }
  const { outputText } = ts.transpileModule(text, {
    fileName: source.fileName,
    compilerOptions: { target: ts.ScriptTarget.ES2023, module: ts.ModuleKind.ESNext, useDefineForClassFields: true },
  })
  return { code: outputText, positions: 'moved' as const }
}

function syntaxProblems(path: string, source: ts.SourceFile, compiler: typeof ts): LoadProblem[] {
  // The parser keeps its diagnostics on the file; the public way to them needs a whole program.
  const { parseDiagnostics } = source as ts.SourceFile & { parseDiagnostics: readonly ts.DiagnosticWithLocation[] }
  return parseDiagnostics.map((diagnostic) => ({
    code: 'syntax',
    file: path,
    message: compiler.flattenDiagnosticMessageText(diagnostic.messageText, '\n'),
    ...positionAt(source, diagnostic.start, compiler),
  }))
}

function topLevelAwait(path: string, script: ts.SourceFile, at: number, compiler: typeof ts): LoadProblem {
  return {
    code: 'top-level-await',
    file: path,
    message: 'await at the top level of a module is not supported: it would hold up every start. Move it into init().',
    ...positionAt(script, at, compiler),
  }
}

function specifierPlaces(source: ts.SourceFile, compiler: typeof ts): ReadonlyMap<string, FilePosition> {
  const places = new Map<string, FilePosition>()
  const visit = (node: ts.Node): void => {
    const literal = specifierOf(node, compiler)
    if (literal !== undefined && !places.has(literal.text)) {
      places.set(literal.text, positionAt(source, literal.getStart(source), compiler))
    }
    compiler.forEachChild(node, visit)
  }
  visit(source)
  return places
}

function specifierOf(node: ts.Node, compiler: typeof ts): ts.StringLiteralLike | undefined {
  const candidate =
    compiler.isImportDeclaration(node) || compiler.isExportDeclaration(node)
      ? node.moduleSpecifier
      : compiler.isCallExpression(node) && node.expression.kind === compiler.SyntaxKind.ImportKeyword
        ? node.arguments[0]
        : undefined
  return candidate !== undefined && compiler.isStringLiteralLike(candidate) ? candidate : undefined
}

export function positionAt(source: ts.SourceFile, offset: number, compiler: typeof ts): FilePosition {
  const { line, character } = compiler.getLineAndCharacterOfPosition(source, offset)
  return { line: line + 1, column: character + 1 }
}
