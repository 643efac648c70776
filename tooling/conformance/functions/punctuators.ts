import type { Cancellable, ProcessorContext, PunctuationType } from '@lanescope/core'
import { needed, UnknownWord } from '../strict.js'
import { IllegalStateException } from './mappers.js'
import { type Context, type Made, metaText } from './process.js'

type Make = (argument: string | undefined, text: string) => Made

interface Plan {
  readonly type: PunctuationType
  readonly intervalMs: number
  readonly startMs?: number
  /** At which call it cancels itself; never, unless given. */
  readonly last?: number
}

/** Processors that forward what they get, and have a schedule of their own. */
export const punctuators: { readonly [name: string]: Make } = {
  punctuateStream: (argument, text) => every('stream-time', numbers(argument, text, 1, 2)),
  punctuateWall: (argument, text) => every('wall-clock-time', numbers(argument, text, 1, 2)),
  punctuateStreamFrom: (argument, text) => anchored('stream-time', numbers(argument, text, 2, 2)),
  punctuateWallFrom: (argument, text) => anchored('wall-clock-time', numbers(argument, text, 2, 2)),
  punctuateThrow: (argument, text) => {
    const [intervalMs] = numbers(argument, text, 1, 1)
    return scheduling((context) => {
      context.schedule(intervalMs as number, 'stream-time', () => {
        throw new IllegalStateException('punctuator refused')
      })
    })
  },
}

function every(type: PunctuationType, [intervalMs, last]: number[]): Made {
  return counting({ type, intervalMs: intervalMs as number, ...(last !== undefined && { last }) })
}

function anchored(type: PunctuationType, [startMs, intervalMs]: number[]): Made {
  return counting({ type, intervalMs: intervalMs as number, startMs: startMs as number })
}

/** At its i-th call it forwards key `P` and value `ni …`, at the time that it is called with. */
function counting({ type, intervalMs, startMs, last }: Plan): Made {
  return scheduling((context) => {
    let calls = 0
    const handle: Cancellable = context.schedule(
      intervalMs,
      type,
      (at, ctx: Context) => {
        calls++
        const times = `at=${at} stream=${ctx.eventTime} wall=${ctx.now}`
        // The anchored ones of the cases do not tell of their record.
        const value = startMs === undefined ? `n${calls} ${times} ${metaText(ctx)}` : `n${calls} ${times}`
        if (calls === last) handle.cancel()
        return ctx.forward({ key: 'P', value, timestamp: at })
      },
      startMs === undefined ? undefined : { startMs },
    )
  })
}

function scheduling(schedule: (context: ProcessorContext) => void): Made {
  return () => ({ init: schedule, process: (record, ctx) => ctx.forward(record) })
}

function numbers(argument: string | undefined, text: string, least: number, most: number): number[] {
  const all = needed(argument, text).split(':').map(Number)
  if (all.length < least || all.length > most || !all.every(Number.isSafeInteger)) {
    throw new UnknownWord(`The function "${text}" needs ${least} to ${most} integers.`)
  }
  return all
}
