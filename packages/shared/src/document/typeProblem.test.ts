import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { formatTypeScript } from '../codegen/formatTypeScript.js'
import { typeProblem } from './typeProblem.js'

const TYPES = [
  'string',
  ' Event ',
  'a.b.Event',
  'Map<string, Event[]>',
  'Map<string, Map<string, Array<number>>>',
  'Record<string, unknown> | null',
  '| "a" | \'b\' | 1 | -1 | 1.5 | 0x1f | 10n | true | null | undefined | void | never',
  'string[][]',
  'readonly string[]',
  'readonly [string, number]',
  'readonly (string | number)[]',
  'keyof Event',
  'keyof typeof start',
  'Event["id"]',
  "Event['id'][number]",
  'unique symbol',
  '[]',
  '[string, number?, ...Event[]]',
  '[id: string, at?: number, ...rest: Event[]]',
  '[string, number,]',
  '{}',
  '{ id: string }',
  '{ id: string; at?: number, readonly on: boolean }',
  '{\n  id: string;\n  at: number\n}',
  '{ "with-dash": string; 1: number; default: string; readonly: boolean; get: number; new: string }',
  '{ [key: string]: number }',
  '{ readonly [key: string]: number; [Symbol.iterator]: string }',
  '{ [K in keyof Event]: Event[K] }',
  '{ readonly [K in keyof Event]?: Event[K] }',
  `{ -readonly [K in keyof Event as \`on-\${K}\`]-?: Event[K]; }`,
  '{ +readonly [K in "a" | "b"]+?: string }',
  '{ (id: string): number; new (id: string): Event; call<T>(one: T): void; get at(): number; set at(to: number) }',
  '{ a: { b: { c: string[] } } }',
  '{ a }',
  '() => void',
  '(id: string, at?: number, ...rest: Event[]) => Event | null',
  '(id: unknown) => id is string',
  '<T extends string = string, U = T>(one: T) => U',
  'new (id: string) => Event',
  'abstract new () => Event',
  '(string)',
  '(string | number)[]',
  '((id: string) => void) | null',
  'A & B & { c: string }',
  'A | (B & C)',
  'T extends string ? A : B',
  'T extends (infer U)[] ? U : T extends string ? A : B',
  'T extends [infer U extends string, infer V] ? U : V',
  'T extends infer U extends string ? U : 1 extends 2 ? 3 : 4',
  'Promise<string>["then"]',
  `\`a-\${string}-\${number}\``,
  '`plain`',
  'type',
  '1_000 | 1e3 | .5 | 1. | 0',
  'Größe',
  '$a_1',
  'this',
  '(this: Event) => void',
  'Array<\n  string\n>',
]

const NO_TYPES = [
  'not a type!',
  'string; process.exit()',
  'string process',
  'string?',
  'Map<string',
  'Map<>',
  'Map<string>>',
  'string | ',
  '| | string',
  'A & ',
  'string[',
  'string]',
  '[string',
  '[, string]',
  '[string number]',
  '{ id: string',
  '{ id: string }}',
  '{ id: string at: number }',
  '{ id: }',
  '{ id = 1 }',
  '{ : string }',
  '{ [K in ]: string }',
  '{ [K in A]: string; b: number }',
  '(string',
  '()',
  'string)',
  '() =>',
  '() => void void',
  '(a b) => void',
  'new string',
  'T extends string',
  'T extends string ? A',
  'T extends string ? A :',
  'A.',
  '.A',
  'A..B',
  'new',
  'typeof',
  'typeof 1',
  '-',
  '-x',
  "'open",
  '"open',
  '`open',
  `\`\${not a type}\``,
  'a + b',
  'f()',
  'a => b',
  'a = b',
  '@a',
  '1 2',
  '01',
  '1__0',
  '1a',
  '1.5n',
  '0x',
  'readonly',
  'keyof',
  'infer',
  'unique',
  'A | () => void',
  'string, number',
  'string\nnumber',
]

/** The compiler's parser lets them pass and its checker does not, or a side's type has no use for them. */
const REFUSED = [
  'string!',
  '?string',
  'Map<string,>',
  'Map<string, >',
  'class',
  'function',
  'return',
  'if',
  'export',
  'in',
  '#a',
  '{\n  id: string\n  at: number\n}',
  'string // why',
  "import('./model').Event",
  'readonly string',
  'unique string',
]

/** Whether the compiler reads `type T = …` as one type alias and nothing else. */
function isTypeToCompiler(text: string): boolean {
  const { diagnostics = [], outputText } = ts.transpileModule(`type T = (\n${text}\n)`, { reportDiagnostics: true })
  return diagnostics.length === 0 && outputText.trim() === '"use strict";'
}

describe('a type', () => {
  it.each(TYPES)('is %j', async (text) => {
    expect(typeProblem(text)).toBeUndefined()
    expect(isTypeToCompiler(text)).toBe(true)
    await expect(formatTypeScript(`type T = ${text.trim()}\n`)).resolves.toContain('type T')
  })

  it.each(NO_TYPES)('is not %j', async (text) => {
    expect(typeProblem(text)).toMatch(/^Not a TypeScript type: /)
    const isFormatted = formatTypeScript(`type T = (${text})\n`).then(
      () => true,
      () => false,
    )
    expect(isTypeToCompiler(text) && (await isFormatted)).toBe(false)
  })

  it.each(REFUSED)('is not %j here', (text) => {
    expect(typeProblem(text)).toMatch(/^Not a TypeScript type: /)
  })

  it('is needed, and says where a text stops being one', () => {
    expect(typeProblem(' ')).toBe('A TypeScript type is needed.')
    expect(typeProblem('not a type!')).toBe('Not a TypeScript type: "a" cannot come after "not".')
    expect(typeProblem('string; process.exit()')).toBe('Not a TypeScript type: ";" cannot come after "string".')
    expect(typeProblem('!a')).toBe('Not a TypeScript type: none begins with "!".')
    expect(typeProblem('Map<string')).toBe('Not a TypeScript type: it ends too soon.')
  })
})
