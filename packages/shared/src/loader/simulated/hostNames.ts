import type ts from 'typescript'

/** Time and chance: a simulation answers for them, by its clock and its seed. */
const HELD = ['Date', 'Math', 'performance'] as const

/** Real timers and I/O: refused by name (D2). */
export const REFUSED = [
  'setTimeout',
  'setInterval',
  'setImmediate',
  'requestAnimationFrame',
  'requestIdleCallback',
  'fetch',
  'XMLHttpRequest',
  'WebSocket',
  'EventSource',
  'BroadcastChannel',
  'MessageChannel',
  'Worker',
  'indexedDB',
  'process',
] as const

/** Names of the host that compiled code gets from the simulation instead. */
export const hostNames: readonly string[] = [...HELD, ...REFUSED]

/** The identifiers that a script reads, and those that it declares anywhere. */
export function namesTaken(
  script: ts.SourceFile,
  compiler: typeof ts,
): { readonly used: ReadonlySet<string>; readonly declared: ReadonlySet<string> } {
  const used = new Set<string>()
  const declared = new Set<string>()
  const visit = (node: ts.Node, parent: ts.Node): void => {
    if (compiler.isIdentifier(node)) {
      if (declares(node, parent, compiler)) declared.add(node.text)
      else if (!isMemberName(node, parent, compiler)) used.add(node.text)
    }
    compiler.forEachChild(node, (child) => visit(child, node))
  }
  visit(script, script)
  return { used, declared }
}

function declares(node: ts.Identifier, parent: ts.Node, compiler: typeof ts): boolean {
  const named =
    compiler.isVariableDeclaration(parent) ||
    compiler.isParameter(parent) ||
    compiler.isFunctionDeclaration(parent) ||
    compiler.isFunctionExpression(parent) ||
    compiler.isClassDeclaration(parent) ||
    compiler.isClassExpression(parent) ||
    compiler.isBindingElement(parent) ||
    compiler.isImportClause(parent) ||
    compiler.isImportSpecifier(parent) ||
    compiler.isNamespaceImport(parent)
  return named && parent.name === node
}

/** A name behind a dot, or of a member: nothing of the host's. */
function isMemberName(node: ts.Identifier, parent: ts.Node, compiler: typeof ts): boolean {
  if (compiler.isPropertyAccessExpression(parent)) return parent.name === node
  if (compiler.isPropertyAssignment(parent) || compiler.isMethodDeclaration(parent)) return parent.name === node
  return compiler.isBindingElement(parent) && parent.propertyName === node
}
