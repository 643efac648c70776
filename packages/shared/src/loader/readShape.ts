import type ts from 'typescript'

/** A name taken from another module, with the span that has to go when it turns out to be a type. */
export interface ImportedName {
  readonly name: string
  /** Whether the module's JavaScript mentions it at all; a name used in types only does not. */
  readonly used: boolean
  readonly start: number
  readonly end: number
}

export interface RawImport {
  readonly specifier: string
  readonly kind: 'static' | 're-export' | 'dynamic'
  readonly start: number
  readonly end: number
  /** Span of the whole statement; of a dynamic import: of its specifier. */
  readonly statementStart: number
  readonly statementEnd: number
  /** Names in braces. */
  readonly names: readonly ImportedName[]
  /** Whether it is there for more than the names in braces: a default or namespace import, or for its effects. */
  readonly needed: boolean
}

/** What a module of JavaScript imports and exports. */
export interface ModuleShape {
  readonly imports: readonly RawImport[]
  readonly exports: ReadonlySet<string>
  /** Specifiers of `export * from`. */
  readonly stars: readonly string[]
  /** Offsets of `import(…)` whose argument is no literal. */
  readonly unknownDynamic: readonly number[]
  /** Offset of the first `await` outside any function. */
  readonly topLevelAwait: number | undefined
}

/** Names that a module exports as types only, which its JavaScript no longer shows. */
export interface TypeNames {
  readonly exports: ReadonlySet<string>
  readonly stars: readonly string[]
}

/** Reads what a module of JavaScript imports and exports. */
export function readShape(script: ts.SourceFile, compiler: typeof ts): ModuleShape {
  const imports: RawImport[] = []
  const exports = new Set<string>()
  const stars: string[] = []
  const deep = readExpressions(script, compiler)
  for (const statement of script.statements) {
    if (compiler.isImportDeclaration(statement)) imports.push(staticImport(statement, script, compiler, deep.mentioned))
    else if (compiler.isExportDeclaration(statement))
      readExports(statement, script, compiler, { imports, exports, stars })
    else for (const name of declaredExports(statement, compiler)) exports.add(name)
  }
  return {
    imports: [...imports, ...deep.dynamic],
    exports,
    stars,
    unknownDynamic: deep.unknown,
    topLevelAwait: deep.firstAwait,
  }
}

/** Reads which names a source exports as types. */
export function readTypeNames(source: ts.SourceFile, compiler: typeof ts): TypeNames {
  const exports = new Set<string>()
  const stars: string[] = []
  const local = new Set<string>()
  for (const statement of source.statements) {
    if (compiler.isInterfaceDeclaration(statement) || compiler.isTypeAliasDeclaration(statement)) {
      local.add(statement.name.text)
      if (hasExport(statement, compiler)) exports.add(statement.name.text)
    }
  }
  for (const statement of source.statements) {
    if (!compiler.isExportDeclaration(statement)) continue
    const clause = statement.exportClause
    if (clause === undefined && statement.isTypeOnly) stars.push(textOf(statement.moduleSpecifier, compiler))
    if (clause === undefined || !compiler.isNamedExports(clause)) continue
    for (const element of clause.elements) {
      const isType =
        statement.isTypeOnly || element.isTypeOnly || local.has((element.propertyName ?? element.name).text)
      if (isType) exports.add(element.name.text)
    }
  }
  return { exports, stars }
}

function staticImport(
  statement: ts.ImportDeclaration,
  script: ts.SourceFile,
  compiler: typeof ts,
  mentioned: ReadonlySet<string>,
): RawImport {
  const clause = statement.importClause
  const bindings = clause?.namedBindings
  const named = bindings !== undefined && compiler.isNamedImports(bindings) ? bindings.elements : undefined
  return {
    ...literalSpan(statement.moduleSpecifier, script, compiler),
    kind: 'static',
    ...statementSpan(statement, script),
    names: namesOf(named, script, mentioned),
    needed: clause === undefined || clause.name !== undefined || (bindings !== undefined && named === undefined),
  }
}

function readExports(
  statement: ts.ExportDeclaration,
  script: ts.SourceFile,
  compiler: typeof ts,
  into: { imports: RawImport[]; exports: Set<string>; stars: string[] },
): void {
  const clause = statement.exportClause
  const named = clause !== undefined && compiler.isNamedExports(clause) ? clause.elements : undefined
  if (named !== undefined) for (const element of named) into.exports.add(element.name.text)
  else if (clause !== undefined && compiler.isNamespaceExport(clause)) into.exports.add(clause.name.text)
  if (statement.moduleSpecifier === undefined) return
  if (clause === undefined) into.stars.push(textOf(statement.moduleSpecifier, compiler))
  into.imports.push({
    ...literalSpan(statement.moduleSpecifier, script, compiler),
    kind: 're-export',
    ...statementSpan(statement, script),
    names: namesOf(named, script),
    needed: named === undefined,
  })
}

function declaredExports(statement: ts.Statement, compiler: typeof ts): readonly string[] {
  if (compiler.isExportAssignment(statement)) return ['default']
  if (!hasExport(statement, compiler)) return []
  if (compiler.isVariableStatement(statement)) {
    return statement.declarationList.declarations.flatMap((declaration) => boundNames(declaration.name, compiler))
  }
  if (!compiler.isClassDeclaration(statement) && !compiler.isFunctionDeclaration(statement)) return []
  const isDefault = statement.modifiers?.some((modifier) => modifier.kind === compiler.SyntaxKind.DefaultKeyword)
  return isDefault ? ['default'] : statement.name === undefined ? [] : [statement.name.text]
}

function boundNames(name: ts.BindingName, compiler: typeof ts): readonly string[] {
  if (compiler.isIdentifier(name)) return [name.text]
  return name.elements.flatMap((element) =>
    compiler.isOmittedExpression(element) ? [] : boundNames(element.name, compiler),
  )
}

function readExpressions(script: ts.SourceFile, compiler: typeof ts) {
  const dynamic: RawImport[] = []
  const unknown: number[] = []
  const mentioned = new Set<string>()
  let firstAwait: number | undefined
  const visit = (node: ts.Node, inFunction: boolean): void => {
    if (compiler.isImportDeclaration(node)) return
    if (compiler.isIdentifier(node)) mentioned.add(node.text)
    if (compiler.isCallExpression(node) && node.expression.kind === compiler.SyntaxKind.ImportKeyword) {
      const [argument] = node.arguments
      if (argument !== undefined && compiler.isStringLiteralLike(argument)) {
        const literal = literalSpan(argument, script, compiler)
        const span = { statementStart: literal.start, statementEnd: literal.end }
        dynamic.push({ ...literal, ...span, kind: 'dynamic', names: [], needed: true })
      } else unknown.push(node.getStart(script))
    }
    const waits =
      compiler.isAwaitExpression(node) || (compiler.isForOfStatement(node) && node.awaitModifier !== undefined)
    if (waits && !inFunction) firstAwait ??= node.getStart(script)
    const inside = inFunction || compiler.isFunctionLike(node)
    compiler.forEachChild(node, (child) => visit(child, inside))
  }
  visit(script, false)
  return { dynamic, unknown, firstAwait, mentioned }
}

function namesOf(
  elements: readonly (ts.ImportSpecifier | ts.ExportSpecifier)[] | undefined,
  script: ts.SourceFile,
  mentioned?: ReadonlySet<string>,
): readonly ImportedName[] {
  return (elements ?? []).map((element, index, all) => ({
    name: (element.propertyName ?? element.name).text,
    used: mentioned?.has(element.name.text) ?? true,
    start: element.getStart(script),
    // Up to the next name, so that the comma goes too.
    end: all[index + 1]?.getStart(script) ?? element.getEnd(),
  }))
}

function literalSpan(literal: ts.Expression, script: ts.SourceFile, compiler: typeof ts) {
  return { specifier: textOf(literal, compiler), start: literal.getStart(script), end: literal.getEnd() }
}

function statementSpan(statement: ts.Statement, script: ts.SourceFile) {
  return { statementStart: statement.getStart(script), statementEnd: statement.getEnd() }
}

function textOf(literal: ts.Expression | undefined, compiler: typeof ts): string {
  return literal !== undefined && compiler.isStringLiteralLike(literal) ? literal.text : ''
}

function hasExport(statement: ts.Statement, compiler: typeof ts): boolean {
  return (
    compiler.canHaveModifiers(statement) &&
    statement.modifiers?.some((modifier) => modifier.kind === compiler.SyntaxKind.ExportKeyword) === true
  )
}
