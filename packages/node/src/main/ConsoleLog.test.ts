import { ManualClock, StreamError } from '@lanescope/core'
import { describe, expect, it } from 'vitest'
import type { LogFormat } from '../config/operationsConfig.js'
import { ConsoleLog } from './ConsoleLog.js'

function scene(format: LogFormat) {
  const out: string[] = []
  const err: string[] = []
  const log = new ConsoleLog({
    args: [],
    env: {},
    clock: new ManualClock(1_700_000_000_000),
    print: (line) => out.push(line),
    printError: (line) => err.push(line),
    onSignal: () => undefined,
    exit: () => undefined,
  })
  log.format = format
  return { log, out, err }
}
const at = { topic: 'in', partition: 1, offset: 0, timestamp: 9 }
const operational = new StreamError('gone', { code: 'LOG_UNAVAILABLE', kind: 'operational', retriable: true })

describe('lines', () => {
  it('are time, level and message as text, the serious ones on standard error', () => {
    const { log, out, err } = scene('text')
    log.report('info', 'a', { node: 'n' })
    log.report('warn', 'b')
    log.report('error', 'c')
    expect([out, err]).toEqual([
      ['2023-11-14T22:13:20.000Z INFO  a'],
      ['2023-11-14T22:13:20.000Z WARN  b', '2023-11-14T22:13:20.000Z ERROR c'],
    ])
  })

  it('are one object each as json, with the fields that are known and no others', () => {
    const { log, out, err } = scene('json')
    log.event({ type: 'log', level: 'info', at: 1, node: 'n', lane: 0, coordinates: at, message: 'a\nb' })
    log.event({ type: 'log', level: 'warn', at: 1, message: 'c' })
    const time = '2023-11-14T22:13:20.000Z'
    expect(out.map((line) => JSON.parse(line))).toEqual([
      { time, level: 'info', message: 'a\nb', node: 'n', lane: 0, topic: 'in', partition: 1, offset: 0 },
    ])
    expect(out[0]).not.toContain('\n')
    expect(err.map((line) => JSON.parse(line))).toEqual([{ time, level: 'warn', message: 'c' }])
  })
})

describe('an error that ends something', () => {
  it('has code and place as json, and a stack only where user code threw', () => {
    const { log, err } = scene('json')
    const cause = new Error('theirs')
    log.failure(
      new StreamError('failed', {
        code: 'PROCESSING_FAILED',
        kind: 'user',
        retriable: false,
        context: { node: 'n', ...at },
        cause,
      }),
    )
    log.failure(operational)
    log.failure(new StreamError('wrapped', { code: 'LOG_UNAVAILABLE', kind: 'operational', retriable: true, cause }))
    const [theirs, ours, wrapped] = err.map((line) => JSON.parse(line))
    expect(theirs).toMatchObject({ code: 'PROCESSING_FAILED', kind: 'user', retriable: false, node: 'n', offset: 0 })
    expect(theirs.stack).toContain('Error: theirs')
    expect(ours).toMatchObject({ level: 'error', message: 'gone', code: 'LOG_UNAVAILABLE', retriable: true })
    expect([ours, wrapped].filter((each) => 'stack' in each)).toEqual([])
  })

  it('is one line as text, and the stack behind it where user code threw', () => {
    const { log, err } = scene('text')
    log.failure(operational)
    expect(err).toEqual(['2023-11-14T22:13:20.000Z ERROR gone'])
    const cause = new Error('theirs')
    log.failure(cause)
    expect(err.slice(1)).toEqual([
      '2023-11-14T22:13:20.000Z ERROR theirs',
      expect.stringMatching(/^Error: theirs\n +at /),
    ])
    log.failure(new StreamError('no such file', { code: 'CONFIG_INVALID', kind: 'user', retriable: false, cause }))
    expect(err.slice(3)).toEqual(['2023-11-14T22:13:20.000Z ERROR no such file'])
    log.failure('odd')
    expect(err.at(-1)).toBe('2023-11-14T22:13:20.000Z ERROR odd')
  })
})
