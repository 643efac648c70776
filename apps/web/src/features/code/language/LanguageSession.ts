import ts from 'typescript'
import type { CodeDiagnostic } from '../../../model/CodeDiagnostic.js'
import { LanguageFiles, SOURCE_ROOT } from './LanguageFiles.js'
import type {
  CompletionDetail,
  CompletionEntry,
  Completions,
  Description,
  LanguageRequest,
  LanguageResults,
  Signature,
} from './protocol.js'

const PREFERENCES: ts.UserPreferences = {
  includeCompletionsForModuleExports: true,
  includeCompletionsWithInsertText: true,
  includePackageJsonAutoImports: 'off',
  importModuleSpecifierPreference: 'relative',
  importModuleSpecifierEnding: 'js',
  preferTypeOnlyAutoImports: true,
  quotePreference: 'single',
}
const CANNOT_FIND_MODULE = 2_307
const FORMAT: ts.FormatCodeSettings = { indentSize: 2, semicolons: ts.SemicolonPreference.Ignore }

/** The TypeScript language service over one project. It lives in a worker; tests make it as it is. */
export class LanguageSession {
  readonly #files: LanguageFiles
  readonly #service: ts.LanguageService

  constructor(libraries: ReadonlyMap<string, string>) {
    this.#files = new LanguageFiles(libraries)
    this.#service = ts.createLanguageService(this.#files, ts.createDocumentRegistry())
  }

  handle(request: LanguageRequest): LanguageResults[keyof LanguageResults] {
    switch (request.type) {
      case 'sync':
        this.#files.sync(request.files)
        return null
      case 'check':
        return request.paths.flatMap((path) => this.check(path))
      case 'complete':
        return this.complete(request.path, request.offset)
      case 'detail':
        return this.detail(request.path, request.offset, request.entry)
      case 'describe':
        return this.describe(request.path, request.offset)
      case 'signature':
        return this.signature(request.path, request.offset)
    }
  }

  /** Errors of a file in the order of their places. While it does not parse, types are not judged. */
  check(path: string): CodeDiagnostic[] {
    const name = SOURCE_ROOT + path
    if (!this.#files.fileExists(name)) return []
    const syntactic = this.#service.getSyntacticDiagnostics(name)
    const found = syntactic.length > 0 ? syntactic : this.#service.getSemanticDiagnostics(name)
    return found.map((diagnostic) => toDiagnostic(path, diagnostic)).sort((a, b) => a.from - b.from)
  }

  complete(path: string, offset: number): Completions | null {
    const found = this.#service.getCompletionsAtPosition(SOURCE_ROOT + path, offset, PREFERENCES, FORMAT)
    if (found === undefined) return null
    return { entries: found.entries.map(toEntry), members: found.isMemberCompletion }
  }

  detail(path: string, offset: number, entry: CompletionEntry): CompletionDetail | null {
    const detail = this.#service.getCompletionEntryDetails(
      SOURCE_ROOT + path,
      offset,
      entry.name,
      FORMAT,
      entry.source,
      PREFERENCES,
      entry.data as ts.CompletionEntryData | undefined,
    )
    if (detail === undefined) return null
    const changes = (detail.codeActions ?? []).flatMap((action) => action.changes)
    const edits = changes
      .filter((change) => change.fileName === SOURCE_ROOT + path)
      .flatMap((change) => change.textChanges)
      .map(({ span, newText }) => ({ from: span.start, to: span.start + span.length, insert: newText }))
    return { signature: textOf(detail.displayParts), documentation: textOf(detail.documentation), edits }
  }

  describe(path: string, offset: number): Description | null {
    const info = this.#service.getQuickInfoAtPosition(SOURCE_ROOT + path, offset)
    if (info === undefined) return null
    const { start, length } = info.textSpan
    return {
      from: start,
      to: start + length,
      signature: textOf(info.displayParts),
      documentation: textOf(info.documentation),
    }
  }

  signature(path: string, offset: number): Signature | null {
    const help = this.#service.getSignatureHelpItems(SOURCE_ROOT + path, offset, undefined)
    const item = help?.items[help.selectedItemIndex]
    if (help === undefined || item === undefined) return null
    const parameters = item.parameters.map((parameter) => textOf(parameter.displayParts))
    const before = textOf(item.prefixDisplayParts)
    const separator = textOf(item.separatorDisplayParts)
    const label = before + parameters.join(separator) + textOf(item.suffixDisplayParts)
    const skipped = parameters
      .slice(0, help.argumentIndex)
      .reduce((sum, text) => sum + text.length + separator.length, 0)
    const current = parameters[help.argumentIndex]
    const from = before.length + skipped
    return {
      label,
      active: current === undefined ? null : [from, from + current.length],
      documentation: textOf(item.documentation),
    }
  }
}

function toDiagnostic(path: string, diagnostic: ts.Diagnostic): CodeDiagnostic {
  const from = diagnostic.start ?? 0
  const message = ts.flattenDiagnosticMessageText(diagnostic.messageText, '\n')
  const isError = diagnostic.category === ts.DiagnosticCategory.Error && !isForeignImport(diagnostic.code, message)
  const place = diagnostic.file?.getLineAndCharacterOfPosition(from) ?? { line: 0, character: 0 }
  return {
    path,
    from,
    to: from + Math.max(diagnostic.length ?? 0, 1),
    line: place.line + 1,
    column: place.character + 1,
    severity: isError ? 'error' : 'warn',
    message,
    code: diagnostic.code,
  }
}

/** Another package is there when the project runs; only its types are not known here. */
function isForeignImport(code: number, message: string): boolean {
  return code === CANNOT_FIND_MODULE && !/'\.{1,2}\//.test(message)
}

function toEntry(entry: ts.CompletionEntry): CompletionEntry {
  return {
    name: entry.name,
    kind: entry.kind,
    sortText: entry.sortText,
    ...(entry.insertText === undefined ? {} : { insertText: entry.insertText }),
    ...(entry.source === undefined ? {} : { source: entry.source }),
    ...(entry.data === undefined ? {} : { data: entry.data }),
  }
}

function textOf(parts: readonly ts.SymbolDisplayPart[] | undefined): string {
  return ts.displayPartsToString(parts === undefined ? undefined : [...parts])
}
