import { type EngineApi, ManualClock } from '@lanescope/core'
import { expect, it } from 'vitest'
import { ConsoleLog } from './ConsoleLog.js'
import { Stopping } from './Stopping.js'

function scene() {
  const clock = new ManualClock(0)
  const codes: number[] = []
  const lines: string[] = []
  const stops: string[] = []
  let orphan: () => void = () => undefined
  let tell: (signal: string) => void = () => undefined
  const host = {
    args: [],
    env: {},
    clock,
    print: (line: string) => lines.push(line),
    printError: (line: string) => lines.push(line),
    onSignal: (listener: (signal: string) => void) => {
      tell = listener
    },
    onOrphaned: (listener: () => void) => {
      orphan = listener
    },
    exit: (code: number) => codes.push(code),
  }
  const stopping = new Stopping(host, new ConsoleLog(host), 1_000)
  const engine = { state: 'running', stop: async () => stops.push(engine.state) }
  return {
    clock,
    codes,
    lines,
    stops,
    stopping,
    engine: engine as unknown as EngineApi,
    state: engine,
    tell: (name: string) => tell(name),
    orphan: () => orphan(),
  }
}

it('[E14] stops once at the first signal, and ends with 1 at the second', () => {
  const { stopping, engine, stops, codes, lines, tell } = scene()
  stopping.stops(engine)
  expect(stopping.isAsked).toBe(false)
  tell('SIGTERM')
  expect([stopping.isAsked, stops.length, codes]).toEqual([true, 1, []])
  tell('SIGINT')
  expect([stops.length, codes]).toEqual([1, [1]])
  expect(lines.at(-1)).toContain('SIGINT again: ending at once')
})

it('[E14] stops what was being made at the signal as soon as it has begun to start', async () => {
  const { stopping, engine, stops, state, tell } = scene()
  tell('SIGTERM')
  stopping.stops(engine)
  state.state = 'starting'
  expect(stops).toEqual([])
  await Promise.resolve()
  expect(stops).toEqual(['starting'])
})

it('[E14] ends with 1 what hangs 5 s after the engine’s own time is up, unless all is over', () => {
  const { clock, codes, stopping, tell } = scene()
  tell('SIGTERM')
  clock.advance(5_999)
  expect(codes).toEqual([])
  clock.advance(1)
  expect(codes).toEqual([1])
  const other = scene()
  other.tell('SIGTERM')
  other.stopping.over()
  other.clock.advance(60_000)
  expect(other.codes).toEqual([])
  expect(stopping.isAsked).toBe(true)
})

it('[E14] stops when the npm above has ended, which is no second signal and may be followed by one', () => {
  const { stopping, engine, stops, codes, lines, tell, orphan } = scene()
  stopping.stops(engine)
  orphan()
  expect([stopping.isAsked, stops.length, codes]).toEqual([true, 1, []])
  expect(lines.at(-1)).toContain('npm has ended: stopping')
  tell('SIGTERM')
  expect(codes).toEqual([1])
  const other = scene()
  other.stopping.stops(other.engine)
  other.tell('SIGINT')
  other.orphan()
  expect([other.stops.length, other.codes]).toEqual([1, []])
})
