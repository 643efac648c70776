import type { WireError } from '@lanescope/shared'

/**
 * Where in the user's modules an error was thrown, and the user's own lines of its stack. Of an error that wraps
 * another it is the innermost one that was thrown there.
 *
 * @param runFolder where the modules of the run were written, as a URL that ends in a slash
 */
export function placeOf(error: unknown, runFolder: string): Pick<WireError, 'where' | 'stack'> {
  const found = causesOf(error)
    .map((cause) => ({ cause, frames: framesOf(cause, runFolder) }))
    .findLast(({ frames }) => frames.length > 0)
  const [first] = found?.frames ?? []
  if (found === undefined || first === undefined) return {}
  const lines = found.frames.map(({ text }) => `    at ${text}`)
  return { where: first.where, stack: [`${found.cause.name}: ${found.cause.message}`, ...lines].join('\n') }
}

function causesOf(error: unknown): readonly Error[] {
  const causes: Error[] = []
  for (let cause = error; cause instanceof Error && !causes.includes(cause); cause = cause.cause) causes.push(cause)
  return causes
}

/** `process (src/sum.ts:12:11)` for each line of the stack that is in a module of the project. */
function framesOf(error: Error, runFolder: string) {
  return (error.stack ?? '').split('\n').flatMap((line) => {
    const from = line.indexOf(runFolder)
    if (from < 0) return []
    const [, path, at, column] = /^([^\s:]+)\.mjs:(\d+):(\d+)/.exec(line.slice(from + runFolder.length)) ?? []
    if (path === undefined) return []
    const where = { file: `${path}.ts`, line: Number(at), column: Number(column) }
    const place = `src/${where.file}:${where.line}:${where.column}`
    const callee = /^\s*at (?:async )?(.+) \($/.exec(line.slice(0, from))?.[1]
    return [{ where, text: callee === undefined ? place : `${callee} (${place})` }]
  })
}
