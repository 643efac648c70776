import { StreamError } from '@lanescope/core'
import { isSecret } from './hostKeys.js'

/** A key whose value cannot be used; a secret is not quoted. */
export function configProblem(key: string, value: unknown, fix: string): StreamError {
  const quoted = isSecret(key) ? 'not usable' : JSON.stringify(value)
  return configInvalid(`"${key}" is ${quoted}: ${fix}`)
}

export function configInvalid(message: string, cause?: unknown): StreamError {
  return new StreamError(message, { code: 'CONFIG_INVALID', kind: 'user', retriable: false, cause })
}

/** @throws StreamError CONFIG_INVALID when it is given and no text */
export function optionalText(config: Readonly<Record<string, unknown>>, key: string): string | undefined {
  const value = config[key]
  if (value === undefined) return undefined
  if (typeof value !== 'string' || value === '') throw configProblem(key, value, 'give a text that is not empty')
  return value
}

/** The number of a text, as flags and environment variables give it; anything else as it is. */
export function numberOf(value: unknown): unknown {
  return typeof value === 'string' && /^-?\d+$/.test(value.trim()) ? Number(value) : value
}

/**
 * The path of a folder. What a shell would make of `~` is not: a folder of that name would be made.
 *
 * @throws StreamError CONFIG_INVALID
 */
export function folderText(key: string, value: unknown, others = ''): string {
  if (typeof value !== 'string' || value.trim() === '') throw configProblem(key, value, `give a folder${others}`)
  if (/^~(?:[/\\]|$)/.test(value)) throw configProblem(key, value, 'write your home folder in full, in place of "~"')
  return value
}

/** Why a file that a configuration names cannot be read, and what to do, for people. */
export function whyUnreadable({ code, message }: NodeJS.ErrnoException): string {
  switch (code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return 'which does not exist: give the path of a file that does'
    case 'EISDIR':
      return 'which is a folder: give the path of a file in it'
    case 'EACCES':
    case 'EPERM':
      return 'which this user may not read: let it, or give another file'
    default:
      return `which cannot be read: ${message}`
  }
}
