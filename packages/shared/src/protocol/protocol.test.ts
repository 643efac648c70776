import { describe, expect, it } from 'vitest'
import type { Request, RequestType, ServerMessage } from './messages.js'
import {
  encode,
  MAX_REQUEST_LENGTH,
  type Parsed,
  parseReply,
  parseRequest,
  parseServerMessage,
} from './parseMessage.js'
import { rareEvent } from './schemas/frame.js'
import { request } from './schemas/requests.js'
import { replies } from './schemas/server.js'

const fixtures = import.meta.glob<{ default: Json }>('./fixtures/*.json', { eager: true })

interface Json {
  [field: string]: unknown
}

const all = Object.entries(fixtures).map(([path, module]) => ({
  name: path.slice('./fixtures/'.length, -'.json'.length),
  message: module.default,
}))
const requests = all.filter(({ name }) => name.startsWith('request.'))
const fromServer = all.filter(({ name }) => !name.startsWith('request.'))
const requestTypes = Object.keys(replies) as RequestType[]

function read(name: string, message: unknown): Parsed<Request | ServerMessage> {
  const text = JSON.stringify(message)
  return name.startsWith('request.') ? parseRequest(text) : parseServerMessage(text)
}

describe('fixtures', () => {
  it('has one for each request, and one for its reply', () => {
    expect(request.options.map((option) => option.shape.type.value).sort()).toEqual([...requestTypes].sort())
    expect(requests.map(({ message }) => message.type).sort()).toEqual([...requestTypes].sort())
    const answered = fromServer.filter(({ name }) => name.startsWith('reply.')).map(({ name }) => name.slice(6))
    expect(answered.sort()).toEqual([...requestTypes].sort())
  })

  it('has one for each message of the agent, and each rare event', () => {
    const types: ServerMessage['type'][] = [
      'hello',
      'reply',
      'project-changed',
      'project-gone',
      'projects-changed',
      'run-state',
      'frame',
    ]
    expect([...new Set(fromServer.map(({ message }) => message.type))].sort()).toEqual(types.sort())
    const frame = fixtures['./fixtures/server.frame.json']?.default.frame as { rare: { type: string }[] }
    const known = rareEvent.options.flatMap((option) => {
      const { type } = option.shape
      return 'value' in type ? [type.value] : type.options
    })
    expect([...new Set(frame.rare.map(({ type }) => type))].sort()).toEqual([...known].sort())
  })

  it.each(all)('$name is read as it was written', ({ name, message }) => {
    const parsed = read(name, message)
    expect(parsed).toEqual({ ok: true, message })
    if (parsed.ok) expect(read(name, JSON.parse(encode(parsed.message)))).toEqual(parsed)
  })

  it.each(fromServer.filter(({ name }) => name.startsWith('reply.')))("$name is its own request's reply", (reply) => {
    const type = reply.name.slice('reply.'.length) as RequestType
    expect(parseReply(type, reply.message.result)).toEqual({ ok: true, message: reply.message.result })
  })

  it.each(all)('$name is refused with an unknown field', ({ name, message }) => {
    const parsed = read(name, { ...message, novelty: 1 })
    expect(parsed).toMatchObject({ ok: false, problems: [{ path: 'novelty' }] })
  })

  it.each(all.flatMap(({ name, message }) => requiredFields(name, message)))(
    '$name is refused without $field',
    ({ name, message, field }) => {
      const { [field]: _, ...rest } = message
      const parsed = read(name, rest)
      expect(parsed.ok).toBe(false)
      if (!parsed.ok) expect(parsed.problems.map(({ path }) => path)).toContain(field)
    },
  )
})

const OPTIONAL: { readonly [name: string]: readonly string[] } = {
  'request.open-example': ['fresh'],
  'request.start-run': ['fromBeginning'],
  'request.save-project': ['document', 'files', 'deletedFiles', 'config'],
}

function requiredFields(name: string, message: Json) {
  return Object.keys(message)
    .filter((field) => !(OPTIONAL[name] ?? []).includes(field))
    .map((field) => ({ name, message, field }))
}

describe('parseRequest', () => {
  it('reads a save that changes nothing but one file', () => {
    const save = { id: 1, type: 'save-project', projectId: 'p', baseRevision: 0, files: { 'a.ts': '' } }
    expect(parseRequest(JSON.stringify(save))).toEqual({ ok: true, message: save })
  })

  it.each(['', '{', 'undefined', '[', '"text'])('refuses %j: it is not JSON', (text) => {
    expect(parseRequest(text)).toEqual({ ok: false, problems: [{ path: '', message: 'The message is not JSON.' }] })
  })

  it.each(['null', '3', '"list-projects"', '[]'])('refuses %s: it is no message', (text) => {
    const parsed = parseRequest(text)
    expect(parsed.ok).toBe(false)
    if (!parsed.ok) expect(parsed.id).toBeUndefined()
  })

  it('names an unknown type, and keeps the id so that it can be answered', () => {
    const parsed = parseRequest('{"id":9,"type":"fly"}')
    expect(parsed).toMatchObject({ ok: false, id: 9, problems: [{ path: 'type' }] })
    if (!parsed.ok) expect(parsed.problems[0]?.message).toMatch(/"fly" is no known .*list-projects/)
  })

  it.each([-1, 1.5, '1', null])('refuses the id %j', (id) => {
    const parsed = parseRequest(JSON.stringify({ id, type: 'list-projects' }))
    expect(parsed).toMatchObject({ ok: false, problems: [{ path: 'id' }] })
    if (!parsed.ok) expect(parsed.id).toBeUndefined()
  })

  it('says what is wrong with a document that is to be saved', () => {
    const document = { formatVersion: 2 }
    const save = { id: 4, type: 'save-project', projectId: 'p', baseRevision: 0, document }
    const parsed = parseRequest(JSON.stringify(save))
    expect(parsed).toMatchObject({ ok: false, id: 4, problems: [{ path: 'document.formatVersion' }] })
  })

  it.each([
    ['key', '6B30'],
    ['key', '6b3'],
    ['value', 'zz'],
    ['partition', -2],
    ['timestamp', 0.5],
  ])('refuses to produce with %s %j', (field, value) => {
    const produce = {
      id: 1,
      type: 'produce',
      projectId: 'p',
      topic: 't',
      partition: -1,
      key: null,
      value: null,
      timestamp: 0,
    }
    expect(parseRequest(JSON.stringify(produce)).ok).toBe(true)
    expect(parseRequest(JSON.stringify({ ...produce, [field]: value }))).toMatchObject({
      ok: false,
      problems: [{ path: field }],
    })
  })

  it('reads a text of the greatest length, and refuses one that is longer', () => {
    const text = '{"id":1,"type":"list-projects"}'
    expect(parseRequest(text.padEnd(MAX_REQUEST_LENGTH)).ok).toBe(true)
    const parsed = parseRequest(text.padEnd(MAX_REQUEST_LENGTH + 1))
    expect(parsed).toMatchObject({ ok: false })
    if (!parsed.ok) expect(parsed.problems[0]?.message).toContain(`at most ${MAX_REQUEST_LENGTH}`)
  })

  it('refuses what is nested too deep instead of overflowing', () => {
    const start = { id: 1, type: 'start-run', projectId: 'p', generators: false }
    const overrides = `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`
    const text = JSON.stringify({ ...start, overrides: 0 }).replace('"overrides":0', `"overrides":${overrides}`)
    expect(parseRequest(text)).toMatchObject({ ok: false, problems: [{ message: expect.stringContaining('nested') }] })
  })
})

describe('parseReply', () => {
  it("refuses another request's reply", () => {
    expect(parseReply('save-project', { created: [] }).ok).toBe(false)
    expect(parseReply('create-topics', { created: [] })).toEqual({ ok: true, message: { created: [] } })
  })
})
