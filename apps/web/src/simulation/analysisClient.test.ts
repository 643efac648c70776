import { ManualClock } from '@lanescope/core'
import type { AnalysisInput, AnalysisResult } from '@lanescope/shared'
import { describe, expect, it } from 'vitest'
import { emptyDocument } from '../model/Workspace.js'
import {
  ANALYSES_PER_WORKER,
  type AnalysisPort,
  createAnalysisClient,
  SAMPLES_LIMIT_MS,
  STEP_LIMIT_MS,
} from './analysisClient.js'
import type { AnalysisCall, AnalysisNote } from './analysisMessages.js'
import { failedResult } from './overruns.js'

class FakeWorker implements AnalysisPort {
  readonly calls: AnalysisCall[] = []
  isTerminated = false
  onmessage: AnalysisPort['onmessage'] = null
  onerror: AnalysisPort['onerror'] = null
  postMessage(call: AnalysisCall) {
    this.calls.push(call)
  }
  terminate() {
    this.isTerminated = true
  }
  say(note: AnalysisNote) {
    this.onmessage?.({ data: note } as MessageEvent<AnalysisNote>)
  }
  /** Answers the newest call; the duration tells results apart. */
  answer(durationMs = 0) {
    this.say({ type: 'result', seq: this.calls.at(-1)!.seq, result: { ...failedResult(''), ok: true, durationMs } })
  }
}

function setUp(ready = true) {
  const clock = new ManualClock()
  const workers: FakeWorker[] = []
  const results: AnalysisResult[] = []
  const client = createAnalysisClient({
    clock,
    onResult: (result) => results.push(result),
    createWorker: () => {
      const worker = new FakeWorker()
      workers.push(worker)
      return worker
    },
  })
  if (ready) workers[0]!.say({ type: 'ready' })
  return { clock, workers, results, client, last: () => workers.at(-1)! }
}

const input = (files: { readonly [path: string]: string } = {}): AnalysisInput => ({
  document: emptyDocument('test'),
  files,
  config: {},
})

describe('createAnalysisClient', () => {
  it('sends one input at a time, and of those that came meanwhile only the newest', () => {
    const { client, workers, results } = setUp()
    for (const text of ['1', '2', '3']) client.analyse(input({ 'a.ts': text }))
    expect(workers[0]!.calls.map(({ input }) => input.files['a.ts'])).toEqual(['1'])
    workers[0]!.answer(1)
    expect(results).toEqual([])
    expect(workers[0]!.calls.map(({ input }) => input.files['a.ts'])).toEqual(['1', '3'])
    workers[0]!.answer(3)
    expect(results.map(({ durationMs }) => durationMs)).toEqual([3])
  })

  it('does not count the loading of the compiler as running', () => {
    const { client, clock, workers } = setUp(false)
    client.analyse(input())
    clock.advance(STEP_LIMIT_MS * 5)
    expect(workers).toHaveLength(1)
    workers[0]!.say({ type: 'ready' })
    clock.advance(STEP_LIMIT_MS - 1)
    expect(workers).toHaveLength(1)
    clock.advance(1)
    expect(workers).toHaveLength(2)
  })

  it('ends a worker whose serde does not come back and asks again without it', () => {
    const { client, clock, workers, results } = setUp()
    const first = input({ 'serde.ts': 'loop' })
    client.analyse(first)
    const phase = { step: 'samples', nodeId: 'events', place: 'the key of events' } as const
    workers[0]!.say({ type: 'phase', seq: 1, phase })
    clock.advance(SAMPLES_LIMIT_MS - 1)
    expect(workers[0]!.isTerminated).toBe(false)
    clock.advance(1)
    expect(workers[0]!.isTerminated).toBe(true)
    const [again] = workers[1]!.calls
    expect(again?.input.files).toEqual(first.files)
    expect(again?.input.overruns).toMatchObject([{ phase, message: expect.stringContaining('the key of events') }])
    workers[1]!.answer(7)
    expect(results.map(({ durationMs }) => durationMs)).toEqual([7])
  })

  it('tries a file again once its text changed, and not before', () => {
    const { client, clock, workers, last } = setUp()
    client.analyse(input({ 'a.ts': 'for (;;) {}' }))
    workers[0]!.say({ type: 'phase', seq: 1, phase: { step: 'evaluate', file: 'a.ts' } })
    clock.advance(STEP_LIMIT_MS)
    last().answer()
    client.analyse(input({ 'a.ts': 'for (;;) {}', 'b.ts': '' }))
    expect(last().calls.at(-1)?.input.overruns).toHaveLength(1)
    last().answer()
    client.analyse(input({ 'a.ts': '', 'b.ts': '' }))
    expect(last().calls.at(-1)?.input.overruns).toEqual([])
  })

  it('says so when nothing that could be left out is known', () => {
    const { client, clock, results, workers } = setUp()
    client.analyse(input())
    clock.advance(STEP_LIMIT_MS)
    expect(workers).toHaveLength(2)
    expect(results.map(({ ok, problems }) => [ok, problems[0]?.message])).toEqual([
      [false, expect.stringContaining(`${STEP_LIMIT_MS} ms`)],
    ])
    expect(workers[1]!.calls).toEqual([])
  })

  it('ignores what an ended worker still says', () => {
    const { client, clock, results, workers } = setUp()
    client.analyse(input())
    clock.advance(STEP_LIMIT_MS)
    workers[0]!.answer(9)
    expect(results).toHaveLength(1)
  })

  it('reports a worker that cannot start', () => {
    const { client, results, workers } = setUp(false)
    client.analyse(input())
    workers[0]!.onerror?.({ message: 'blocked' } as ErrorEvent)
    expect(results[0]?.problems[0]?.message).toBe('The analysis cannot run: blocked.')
  })

  it('lets a fresh worker take over after many analyses, when nothing waits', () => {
    const { client, workers, last } = setUp()
    for (let n = 1; n <= ANALYSES_PER_WORKER; n += 1) {
      expect(workers).toHaveLength(1)
      client.analyse(input())
      last().answer()
    }
    expect(workers[0]!.isTerminated).toBe(true)
    expect(workers).toHaveLength(2)
  })
})
