import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { generateTopology } from '@lanescope/shared'
import { beforeAll, describe, expect, it } from 'vitest'
import { aDocument, aProcessor, aSink, aSource } from '../../../model/fixtures.js'
import { className, starterCode } from '../../../model/starterCode.js'
import { HOST_TYPES } from './hostTypes.js'
import { LanguageSession } from './LanguageSession.js'

/** The engine's sources stand in for its declarations, so that this needs no build. */
function libraries(): Map<string, string> {
  const lib = dirname(createRequire(import.meta.url).resolve('typescript'))
  const files = new Map<string, string>([['/host/globals.d.ts', HOST_TYPES]])
  for (const name of readdirSync(lib)) {
    if (/^lib\.(es|decorators)/.test(name)) files.set(`/lib/${name}`, readFileSync(join(lib, name), 'utf8'))
  }
  const core = fileURLToPath(new URL('../../../../../../packages/core/src', import.meta.url))
  for (const name of readdirSync(core, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.ts') || name.endsWith('.test.ts')) continue
    files.set(`/node_modules/@lanescope/core/src/${relative('.', name)}`, readFileSync(join(core, name), 'utf8'))
  }
  files.set(
    '/node_modules/@lanescope/core/package.json',
    '{ "name": "@lanescope/core", "type": "module", "exports": { ".": { "types": "./src/index.ts" } } }',
  )
  return files
}

const MODEL = 'export interface Event { readonly type: string; readonly amount: number }\n'
const PROCESSOR = `import type { CallbackContext, Processor, Record } from '@lanescope/core'
import type { Event } from './model.js'

export class Sum implements Processor<string, Event, string, number> {
  process(record: Record<string, Event>, ctx: CallbackContext<string, string, number>) {
    ctx.timers.register({ key: record.key, at: record.timestamp, domain: 'event-time' })
    ctx.forward({ key: record.key, value: record.value.amount })
  }
}
`

let session: LanguageSession
beforeAll(() => {
  session = new LanguageSession(libraries())
}, 300_000)

const sync = (text: string) => session.handle({ type: 'sync', files: { 'model.ts': MODEL, 'sum.ts': text } })
const names = (text: string, after: string) => {
  sync(text)
  return session.complete('sum.ts', text.indexOf(after) + after.length)?.entries.map(({ name }) => name) ?? []
}

describe('LanguageSession', { timeout: 300_000 }, () => {
  it('finds nothing wrong with a processor that is right', () => {
    sync(PROCESSOR)
    expect(session.check('sum.ts')).toEqual([])
  })

  it('finds a generated call that does not fit the code it is given, on the line of its node', () => {
    const number = { form: 'serde', serde: { kind: 'built-in', name: 'long' } } as const
    const source = aSource('in') as Extract<ReturnType<typeof aSource>, { kind: 'source' }>
    const long = { ...source, properties: { ...source.properties, key: number, value: number } }
    const sum = {
      ...aProcessor('sum'),
      properties: { code: { module: './sum', export: 'Sum' }, timers: [], stores: [] },
    }
    const count = { ...aSink('out'), kind: 'count', properties: { storeName: 's' } } as const
    const topology = generateTopology(aDocument([long, { ...sum, kind: 'processor' }, count], ['in>sum', 'sum>out']))
    session.handle({ type: 'sync', files: { 'model.ts': MODEL, 'sum.ts': PROCESSOR, 'topology.ts': topology.text } })
    const found = session.check('topology.ts')
    expect(found.map(({ line, severity }) => [topology.nodeAt(line), severity])).toContainEqual(['sum', 'error'])
    expect(session.check('sum.ts')).toEqual([])
  })

  it('judges code against the engine’s types and the project’s own', () => {
    sync(PROCESSOR.replace('record.value.amount', 'record.value.type').replace("'event-time'", "'lunch-time'"))
    const found = session.check('sum.ts')
    expect(found.map(({ line, severity }) => [line, severity])).toEqual([
      [6, 'error'],
      [7, 'error'],
    ])
    expect(found[0]?.message).toContain('lunch-time')
    expect(found[1]?.message).toContain("'string' is not assignable to type 'number'")
  })

  it('reports a syntax error with its place, and no type errors beside it', () => {
    sync(PROCESSOR.replace('ctx.forward({', 'ctx.forward({{'))
    const found = session.check('sum.ts')
    expect(found.length).toBeGreaterThan(0)
    expect(found[0]).toMatchObject({ path: 'sum.ts', line: 7, severity: 'error' })
  })

  it('completes the engine’s members after a dot', () => {
    expect(names(PROCESSOR, 'ctx.')).toEqual(expect.arrayContaining(['forward', 'timers', 'store', 'now']))
    expect(names(PROCESSOR, 'ctx.timers.')).toEqual(['delete', 'register'])
  })

  it('completes the fields of the user’s own type', () => {
    expect(names(PROCESSOR, 'record.value.')).toEqual(['amount', 'type'])
  })

  it('offers an import for a name of the project, with the edit that makes it', () => {
    const text = 'export const x: Even\n'
    sync(text)
    const entry = session
      .complete('sum.ts', text.indexOf('Even') + 4)
      ?.entries.find(({ source }) => source === './model.js')
    expect(entry?.name).toBe('Event')
    const detail = session.detail('sum.ts', text.indexOf('Even') + 4, entry!)
    expect(detail?.edits.map(({ insert }) => insert).join('')).toContain("import type { Event } from './model.js'")
  })

  it('describes a symbol with its documentation', () => {
    sync(PROCESSOR)
    const text = session.describe('sum.ts', PROCESSOR.indexOf('register') + 1)
    expect(text?.signature).toContain('register')
    expect(text?.documentation).toContain('Plans a callback')
  })

  it('marks the parameter at the cursor', () => {
    const text = 'export const f = (a: number, b: string) => a\nf(1, )\n'
    sync(text)
    const found = session.signature('sum.ts', text.indexOf('f(1, ') + 5)
    expect(found?.label).toBe('f(a: number, b: string): number')
    expect(found?.label.slice(...(found.active ?? []))).toBe('b: string')
  })

  it('wants the file’s ending in an import, as the exported project does', () => {
    sync(PROCESSOR.replace('./model.js', './model'))
    expect(session.check('sum.ts')[0]?.message).toContain('./model.js')
  })

  it('sees a file no more once it is gone', () => {
    sync(PROCESSOR)
    session.handle({ type: 'sync', files: { 'sum.ts': PROCESSOR } })
    expect(session.check('model.ts')).toEqual([])
    expect(session.check('sum.ts').map(({ message }) => message)[0]).toContain("Cannot find module './model.js'")
  })

  it('warns of a package that it does not know, and errs for a file that is not there', () => {
    sync("import pad from 'left-pad'\nimport gone from './gone.js'\npad(gone)\n")
    expect(session.check('sum.ts').map(({ line, severity }) => [line, severity])).toEqual([
      [1, 'warn'],
      [2, 'error'],
    ])
  })

  it.each([
    ['string', 'Event', true],
    ['string', 'Event', false],
    ['string | null', 'Event | null', true],
    ['unknown', 'unknown', true],
  ])(
    'finds nothing wrong with the first text of a processor of %s and %s, timers: %s',
    (keyType, valueType, withTimers) => {
      sync(starterCode({ name: 'Fresh', keyType, valueType, withTimers }))
      expect(session.check('sum.ts')).toEqual([])
    },
  )

  it.each(['source', 'processor', 'timer-processor', 'sink', 'windowed-count', 'record', 'timer', 'event', 'map', '1'])(
    'finds nothing wrong with the first text of a node called %s',
    (node) => {
      const types = { keyType: 'string', valueType: 'Event' }
      sync(starterCode({ name: className(node, Object.values(types)), ...types, withTimers: true }))
      expect(session.check('sum.ts')).toEqual([])
    },
  )

  it('knows no DOM', () => {
    sync('document.title\nconsole.log(1)\n')
    expect(session.check('sum.ts').map(({ line }) => line)).toEqual([1])
  })
})
