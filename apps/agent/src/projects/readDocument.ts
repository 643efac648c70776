import { type DocumentProblem, parseDocument, type TopologyDocument } from '@lanescope/shared'
import { AgentError } from '../AgentError.js'

/** Problems quoted in a message; the rest are counted. All of them are in the context. */
const QUOTED = 3

/**
 * Reads the text of a `topology.json`.
 *
 * @param file how to name the file in a message
 * @throws AgentError DOCUMENT_INVALID that says what is wrong, and where
 */
export function readDocument(text: string, file: string): TopologyDocument {
  const parsed = parseDocument(text)
  if (parsed.ok) return parsed.document
  throw invalid(`${file} cannot be opened. ${inWords(parsed.problems)}`, { file, problems: parsed.problems })
}

/** Reads the text of an `app.config.json`; a missing one is an empty one. */
export function readConfig(text: string | undefined, file: string): { readonly [key: string]: unknown } {
  if (text === undefined) return {}
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (error) {
    throw invalid(`${file} is not JSON: ${error instanceof Error ? error.message : String(error)}`, { file })
  }
  if (typeof json === 'object' && json !== null && !Array.isArray(json)) return json as { [key: string]: unknown }
  throw invalid(`${file} must be one JSON object, with keys such as "lanes.count"`, { file })
}

function inWords(problems: readonly DocumentProblem[]): string {
  const quoted = problems
    .slice(0, QUOTED)
    .map(({ path, message }) => (path === '' ? message : `At ${path}: ${message}`))
  const more = problems.length - quoted.length
  return more > 0 ? `${quoted.join(' ')} (and ${more} more)` : quoted.join(' ')
}

function invalid(message: string, context: { readonly [key: string]: unknown }): AgentError {
  return new AgentError(message, { code: 'DOCUMENT_INVALID', kind: 'user', retriable: false, context })
}
