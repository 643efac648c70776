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
