import { describe, expect, it } from 'vitest'
import { placeOf } from './placeOf.js'

const FOLDER = 'file:///p/.lanescope/run/'

function thrown(message: string, stack: readonly string[], cause?: Error): Error {
  const error = new Error(message, cause === undefined ? undefined : { cause })
  error.stack = [`Error: ${message}`, ...stack.map((line) => `    at ${line}`)].join('\n')
  return error
}

describe('placeOf', () => {
  it('names the innermost line in a module of the user, and keeps only such lines', () => {
    const error = thrown('boom', [
      'half (file:///engine/node.js:1:1)',
      `Relay.process (${FOLDER}deep/relay.mjs:12:11)`,
      'run (file:///engine/run.js:3:3)',
      `async ${FOLDER}other.mjs:2:5`,
    ])
    expect(placeOf(error, FOLDER)).toEqual({
      where: { file: 'deep/relay.ts', line: 12, column: 11 },
      stack: 'Error: boom\n    at Relay.process (src/deep/relay.ts:12:11)\n    at src/other.ts:2:5',
    })
  })

  it('looks into what an error wraps, down to the innermost that is of the user', () => {
    const system = thrown('ENOENT', ['open (node:fs:1:1)'])
    const inner = thrown('inner', [`f (${FOLDER}a.mjs:5:6)`], system)
    const outer = thrown('outer', [`g (${FOLDER}b.mjs:1:2)`], inner)
    expect(placeOf(thrown('wrapped', [], outer), FOLDER).where).toEqual({ file: 'a.ts', line: 5, column: 6 })
  })

  it('knows no place of an error that is not of the user', () => {
    expect(placeOf(thrown('x', ['f (file:///engine/node.js:1:1)']), FOLDER)).toEqual({})
    expect(placeOf('text', FOLDER)).toEqual({})
    expect(placeOf(undefined, FOLDER)).toEqual({})
  })

  it('ends on errors that name each other as their cause', () => {
    const one = thrown('one', [])
    one.cause = thrown('two', [], one)
    expect(placeOf(one, FOLDER)).toEqual({})
  })
})
