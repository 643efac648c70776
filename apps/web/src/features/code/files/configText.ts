import { locateJsonError } from '@lanescope/shared'
import type { CodeDiagnostic } from '../../../model/CodeDiagnostic.js'
import { CONFIG } from './codeFiles.js'

type Config = { readonly [key: string]: unknown }

export type ReadConfig =
  | { readonly ok: true; readonly config: Config }
  | { readonly ok: false; readonly problem: CodeDiagnostic }

export function configText(config: Config): string {
  return `${JSON.stringify(config, null, 2)}\n`
}

/** Reads `app.config.json` as it is typed: an object, or the first place where it is none. */
export function readConfigText(text: string): ReadConfig {
  const error = locateJsonError(text)
  if (error !== undefined) return { ok: false, problem: problemAt(text, error.line, error.column, error.message) }
  const value: unknown = JSON.parse(text)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { ok: false, problem: problemAt(text, 1, 1, 'The configuration is an object: { "lanes.count": 8 }.') }
  }
  return { ok: true, config: value as Config }
}

/** Where a message about a key belongs: the key that it quotes, or else the start. */
export function configProblem(text: string, message: string): CodeDiagnostic {
  const key = /"([^"]+)"/.exec(message)?.[1]
  const at = key === undefined ? -1 : text.indexOf(`"${key}"`)
  if (at < 0) return problemAt(text, 1, 1, message)
  const before = text.slice(0, at).split('\n')
  return {
    ...problemAt(text, before.length, (before.at(-1)?.length ?? 0) + 1, message),
    to: at + (key?.length ?? 0) + 2,
  }
}

function problemAt(text: string, line: number, column: number, message: string): CodeDiagnostic {
  const from = text
    .split('\n')
    .slice(0, line - 1)
    .reduce((sum, one) => sum + one.length + 1, column - 1)
  return { path: CONFIG, from, to: from + 1, line, column, severity: 'error', message, code: 0 }
}
