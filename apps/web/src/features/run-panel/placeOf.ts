import type { WireError, WirePlace } from '@lanescope/shared'

/** Where in the user's code an error is: where it was thrown, or the first problem that kept the code from loading. */
export function placeOf(error: WireError): WirePlace | null {
  if (error.where !== undefined) return error.where
  const { problems } = error.context
  const first: unknown = Array.isArray(problems) ? problems[0] : undefined
  return isPlace(first) ? { file: first.file, line: first.line, column: first.column ?? 1 } : null
}

function isPlace(value: unknown): value is { readonly file: string; readonly line: number; readonly column?: number } {
  if (typeof value !== 'object' || value === null) return false
  return 'file' in value && typeof value.file === 'string' && 'line' in value && typeof value.line === 'number'
}
