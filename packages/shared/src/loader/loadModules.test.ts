import { describe, expect, it } from 'vitest'
import { type LoadOptions, linkModule, loadModules, ModuleCache } from './index.js'

const core: LoadOptions = {
  packages: new Map([['@lanescope/core', ['Topology', 'Consumed', 'json']]]),
  foreign: 'problem',
}
const load = (files: { readonly [path: string]: string }, options: Partial<LoadOptions> = {}) =>
  loadModules(new Map(Object.entries(files)), { ...core, ...options })
const codeOf = async (text: string, others: { readonly [path: string]: string } = {}) => {
  const result = await load({ 'a.ts': text, ...others })
  return { ...result, code: result.modules.find(({ path }) => path === 'a.ts')?.code }
}

describe('types', () => {
  it('are blanked in place, so that lines and columns stay', async () => {
    const text = 'export const a: number = 1\nexport function f<T>(x: T): T {\n  return x as T\n}\n'
    const { code, modules } = await codeOf(text)
    expect(code).toBe('export const a         = 1\nexport function f   (x   )    {\n  return x;    \n}\n')
    expect(code).toHaveLength(text.length)
    expect(modules[0]?.positions).toBe('kept')
  })

  it.each([
    ['an enum', 'export enum Side { left, right }', 'Side[Side["left"] = 0]'],
    ['a parameter property', 'export class A { constructor(readonly a: number) {} }', 'this.a = a'],
  ])('that need real code are transpiled: %s', async (_, text, expected) => {
    const { code, modules, problems } = await codeOf(text)
    expect(code).toContain(expected)
    expect(modules[0]?.positions).toBe('moved')
    expect(problems).toEqual([])
  })

  it('imported without the word type leave nothing behind', async () => {
    const { code, problems, modules } = await codeOf("import { Event, read, Session } from './model'\nread()\n", {
      'model.ts':
        'export interface Event { a: 1 }\ntype Session = 1\nexport { type Session }\nexport const read = () => 1\n',
    })
    expect(problems).toEqual([])
    expect(code).toBe("import {        read,         } from './model'\nread()\n")
    expect(modules.map(({ path }) => path)).toEqual(['model.ts', 'a.ts'])
  })

  it('alone make no import, and so no cycle', async () => {
    const { problems, modules } = await load({
      'a.ts': "import { B } from './b.js'\nexport class A { b?: B }\n",
      'b.ts': "import { A } from './a.js'\nexport interface B { a: A }\n",
    })
    expect(problems).toEqual([])
    expect(modules.map(({ imports }) => imports)).toEqual([[], []])
  })

  it('of a package are told from its values by the names it exports', async () => {
    const { code } = await codeOf("import { Processor, Topology } from '@lanescope/core'\nnew Topology()\n")
    expect(code).toBe("import {            Topology } from '@lanescope/core'\nnew Topology()\n")
  })

  it('reach through export * from', async () => {
    const { problems, code } = await codeOf("import { Event, one } from './all'\none()\n", {
      'all.ts': "export * from './types'\nexport * from './values'\n",
      'types.ts': 'export interface Event {}\n',
      'values.ts': 'export const one = () => 1\n',
    })
    expect(problems).toEqual([])
    expect(code).toContain("import {        one } from './all'")
  })
})

describe('specifiers', () => {
  it.each(['./b', './b.js', './b.ts', './sub/../b'])('%s leads to b.ts', async (specifier) => {
    const { modules } = await load({ 'a.ts': `import { b } from '${specifier}'\nb\n`, 'b.ts': 'export const b = 1\n' })
    expect(modules[1]?.imports[0]?.target).toEqual({ kind: 'module', path: 'b.ts' })
  })

  it('lead from a sub-folder to its parent', async () => {
    const { modules, problems } = await load({
      'deep/a.ts': "import { b } from '../b'\nb\n",
      'b.ts': 'export const b = 1\n',
    })
    expect(problems).toEqual([])
    expect(modules.map(({ path }) => path)).toEqual(['b.ts', 'deep/a.ts'])
  })

  it('are rewritten in imports, re-exports and dynamic imports, and nowhere else', async () => {
    const text = [
      "import { b } from './b'",
      "export { b as c } from './b'",
      "export * from './b'",
      "export const later = () => import('./b')",
      "export const text = \"from './b'\" + b // './b'",
    ].join('\n')
    const { modules } = await load({ 'a.ts': text, 'b.ts': 'export const b = 1\n' })
    const linked = linkModule(modules[1]!, (target) => (target.kind === 'module' ? `url:${target.path}` : '?'))
    expect(linked).toBe(
      [
        'import { b } from "url:b.ts"',
        'export { b as c } from "url:b.ts"',
        'export * from "url:b.ts"',
        'export const later = () => import("url:b.ts")',
        "export const text = \"from './b'\" + b // './b'",
      ].join('\n'),
    )
  })
})

describe('order', () => {
  it('puts each module after what it imports', async () => {
    const { modules } = await load({
      'a.ts': "import './b'\nimport './c'\n",
      'b.ts': "import './c'\n",
      'c.ts': '',
    })
    expect(modules.map(({ path }) => path)).toEqual(['c.ts', 'b.ts', 'a.ts'])
  })

  it('reports a cycle that no entry reaches', async () => {
    const { modules, problems } = await load(
      { 'a.ts': '', 'b.ts': "import './c'\n", 'c.ts': "import './b'\n" },
      { entries: ['a.ts'] },
    )
    expect(modules.map(({ path }) => path)).toEqual(['a.ts'])
    expect(problems).toMatchObject([{ code: 'cycle', files: ['b.ts', 'c.ts'] }])
  })

  it('leaves out what no entry reaches, but still reports its syntax', async () => {
    const { modules, problems } = await load(
      { 'a.ts': "import './b'\n", 'b.ts': '', 'c.ts': 'const = 1' },
      { entries: ['a.ts'] },
    )
    expect(modules.map(({ path }) => path)).toEqual(['b.ts', 'a.ts'])
    expect(problems.map(({ file }) => file)).toEqual(['c.ts'])
  })
})

describe('problems', () => {
  it('name file, line and column of a syntax error and break only what depends on it', async () => {
    const { modules, problems, broken } = await load({
      'bad.ts': 'export const a = 1\nexport const b = (\n',
      'user.ts': "import { a } from './bad'\na\n",
      'good.ts': 'export const g = 1\n',
    })
    expect(problems).toEqual([{ code: 'syntax', file: 'bad.ts', line: 2, column: 19, message: 'Expression expected.' }])
    expect(modules.map(({ path }) => path)).toEqual(['good.ts'])
    expect([...broken]).toEqual([
      ['bad.ts', 'Expression expected.'],
      ['user.ts', "It imports './bad', which cannot be loaded."],
    ])
  })

  it('name every file of an import cycle', async () => {
    const { modules, problems } = await load({
      'a.ts': "import { b } from './b'\nexport const a = () => b\n",
      'b.ts': "import { c } from './c'\nexport const b = () => c\n",
      'c.ts': "import { a } from './a'\nexport const c = () => a\n",
    })
    expect(modules).toEqual([])
    expect(problems).toMatchObject([
      { code: 'cycle', file: 'c.ts', line: 1, column: 19, files: ['a.ts', 'b.ts', 'c.ts'] },
    ])
    expect(problems[0]?.message).toContain('a.ts → b.ts → c.ts → a.ts')
  })

  it('tell a module that imports itself', async () => {
    const { problems } = await load({ 'a.ts': "import { a } from './a'\nexport const b = a\nexport const a = 1\n" })
    expect(problems).toMatchObject([{ code: 'cycle', message: 'a.ts imports itself.' }])
  })

  it('tell an import of another package, unless the host resolves it', async () => {
    const text = "\nimport lodash from 'lodash'\nlodash\n"
    const { problems } = await load({ 'a.ts': text })
    expect(problems).toMatchObject([{ code: 'foreign-import', file: 'a.ts', line: 2, column: 20 }])
    expect(problems[0]?.message).toContain("'lodash'")
    const left = await load({ 'a.ts': text }, { foreign: 'leave' })
    expect(left.problems).toEqual([])
    expect(left.modules[0]?.imports[0]?.target).toEqual({ kind: 'package', specifier: 'lodash' })
  })

  it('tell a file that is not there, and an export that is not there', async () => {
    const { problems } = await load({
      'a.ts': "import { x } from './gone'\nimport { y, z } from './b'\nx; y; z\n",
      'b.ts': 'export const y = 1\n',
    })
    expect(problems).toMatchObject([
      { code: 'missing-module', line: 1, column: 19 },
      { code: 'missing-export', line: 2, column: 22, message: "'./b' has no export named z." },
    ])
  })

  it.each([
    ['await fetch()', 2, 1],
    ['for await (const x of []) {}', 2, 1],
  ])('tell a top-level await: %s', async (statement, line, column) => {
    const { problems, modules } = await load({ 'a.ts': `\n${statement}\nexport const f = async () => await 1\n` })
    expect(problems).toMatchObject([{ code: 'top-level-await', file: 'a.ts', line, column }])
    expect(modules).toEqual([])
  })

  it('do not name an await inside a function', async () => {
    expect((await load({ 'a.ts': 'export const f = async () => { await 1 }\n' })).problems).toEqual([])
  })

  it('tell a dynamic import whose name is computed', async () => {
    const { problems } = await load({ 'a.ts': "export const f = (n: string) => import('./' + n)\n" })
    expect(problems).toMatchObject([{ code: 'dynamic-import', line: 1, column: 33 }])
  })
})

describe('cache', () => {
  it('parses a text again only when it changed', async () => {
    const cache = new ModuleCache()
    const first = await load({ 'a.ts': 'export const a = 1', 'b.ts': 'export const b = 1' }, { cache })
    const second = await load({ 'a.ts': 'export const a = 2', 'b.ts': 'export const b = 1' }, { cache })
    expect(second.modules[0]?.code).toBe('export const a = 2')
    expect(second.modules[1]?.code).toBe(first.modules[1]?.code)
  })
})
