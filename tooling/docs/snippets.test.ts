import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { expect, it } from 'vitest'
import { packageEntries } from '../packageEntries.mjs'
import { markdownFiles, ROOT } from './markdown.js'

/*
 * Every TypeScript block of the documentation is a module that compiles against the packages as a user would: strict.
 * Each stands alone: what it uses it imports, so that it can be copied as it is.
 */

interface Snippet {
  /** Where it would lie: beside its page, so that it finds what the page's folder finds. */
  readonly path: string
  readonly text: string
}

function snippetsOf(file: string): readonly Snippet[] {
  const blocks = [...readFileSync(join(ROOT, file), 'utf8').matchAll(/^```ts\n([\s\S]*?)^```$/gm)]
  return blocks.map(([, text = ''], index) => ({
    path: join(ROOT, `${file}.${index}.ts`),
    text: `${text}\nexport {}\n`,
  }))
}

const OPTIONS: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2023,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  verbatimModuleSyntax: true,
  skipLibCheck: true,
  noEmit: true,
  lib: ['lib.es2023.d.ts', 'lib.dom.d.ts'],
  types: [],
  paths: Object.fromEntries(packageEntries().map(({ specifier, source }) => [specifier, [join(ROOT, source)]])),
}

it('compiles every TypeScript block of the documentation', { timeout: 300_000 }, () => {
  const snippets = markdownFiles().flatMap(snippetsOf)
  const texts = new Map(snippets.map(({ path, text }) => [path, text]))
  const host = ts.createCompilerHost(OPTIONS)
  const { fileExists, readFile } = host
  host.fileExists = (path) => texts.has(path) || fileExists(path)
  host.readFile = (path) => texts.get(path) ?? readFile(path)
  const program = ts.createProgram([...texts.keys()], { ...OPTIONS, types: ['node'] }, host)
  const wrong = [...texts.keys()].flatMap((path) => {
    const file = program.getSourceFile(path)
    const found = [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)]
    return found.map((one) => `${path.slice(ROOT.length)}: ${ts.flattenDiagnosticMessageText(one.messageText, ' ')}`)
  })
  expect(wrong).toEqual([])
  expect(snippets.length).toBeGreaterThan(0)
})
