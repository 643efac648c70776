import type { z } from 'zod'
import { checkDocument, issueProblems } from '../document/parseDocument.js'
import type { DocumentProblem } from '../document/problems.js'
import type { Replies, Request, RequestType, ServerMessage } from './messages.js'
import { request } from './schemas/requests.js'
import { replies, serverMessage } from './schemas/server.js'

/** Longest texts that are read, in UTF-16 units. A project is far smaller; a frame is smaller still. */
export const MAX_REQUEST_LENGTH = 16 * 1024 * 1024
export const MAX_SERVER_MESSAGE_LENGTH = 64 * 1024 * 1024

/** Deeper values are refused, so that reading one cannot overflow the stack. */
const MAX_DEPTH = 200

export type Parsed<T> =
  | { readonly ok: true; readonly message: T }
  | {
      readonly ok: false
      /** The message's id, where at least that could be read: then it can be answered. */
      readonly id?: number
      readonly problems: readonly DocumentProblem[]
    }

/** Reads a page's message. Strict: an unknown field is refused like a missing one. Never throws. */
export function parseRequest(text: string): Parsed<Request> {
  const parsed = parse(text, MAX_REQUEST_LENGTH, request)
  if (!parsed.ok || parsed.message.type !== 'save-project' || parsed.message.document === undefined) return parsed
  const document = checkDocument(parsed.message.document)
  if (document.ok) return { ok: true, message: { ...parsed.message, document: document.document } }
  const problems = document.problems.map(({ path, message }) => ({
    path: path === '' ? 'document' : `document.${path}`,
    message,
  }))
  return { ok: false, id: parsed.message.id, problems }
}

/** Reads the agent's message. A reply's result is some reply's; `parseReply` says whether it is the right one's. */
export function parseServerMessage(text: string): Parsed<ServerMessage> {
  return parse(text, MAX_SERVER_MESSAGE_LENGTH, serverMessage)
}

/** Reads the result of a reply, by the type of the request that it answers. */
export function parseReply<T extends RequestType>(type: T, result: unknown): Parsed<Replies[T]> {
  const parsed = replies[type].safeParse(result)
  if (!parsed.success) return refused(parsed.error, result)
  return { ok: true, message: parsed.data as Replies[T] }
}

/** A message as it travels: JSON. */
export function encode(message: Request | ServerMessage): string {
  return JSON.stringify(message)
}

function parse<T>(text: string, maxLength: number, schema: z.ZodType<T>): Parsed<T> {
  if (text.length > maxLength) {
    return problem(`The message has ${text.length} characters; at most ${maxLength} are read.`)
  }
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return problem('The message is not JSON.')
    throw error
  }
  if (isDeeperThan(json, MAX_DEPTH)) return problem(`The message is nested deeper than ${MAX_DEPTH} levels.`)
  const parsed = schema.safeParse(json)
  return parsed.success ? { ok: true, message: parsed.data } : refused(parsed.error, json)
}

function refused(error: z.ZodError, json: unknown): Parsed<never> {
  const problems = error.issues.flatMap((issue) => issueProblems(issue, json))
  const id = idOf(json)
  return { ok: false, ...(id === undefined ? {} : { id }), problems }
}

function idOf(json: unknown): number | undefined {
  if (json === null || typeof json !== 'object' || !('id' in json)) return undefined
  return typeof json.id === 'number' && Number.isSafeInteger(json.id) && json.id >= 0 ? json.id : undefined
}

function problem(message: string): Parsed<never> {
  return { ok: false, problems: [{ path: '', message }] }
}

/** Level by level instead of by recursion, which is what it protects from. */
function isDeeperThan(value: unknown, limit: number): boolean {
  let level = [value]
  for (let depth = 0; depth <= limit; depth++) {
    level = level.flatMap((item) => (item !== null && typeof item === 'object' ? Object.values(item) : []))
    if (level.length === 0) return false
  }
  return true
}
