import { StreamError } from '../../errors/StreamError.js'
import type { OperatorContext } from '../../processor/OperatorContext.js'

const lastTime = Number.MAX_SAFE_INTEGER

/**
 * Whether a time is behind the last one that there is, where that matters: our windows end there, while Kafka Streams'
 * times wrap around and become negative (`kafka-streams.md` B.5).
 */
export function wrapsAround(time: number, ctx: OperatorContext<any, any, any>): boolean {
  return ctx.emulatesKafka && time > lastTime
}

/** What Kafka Streams throws where such a time makes no window. */
export function noSuchWindow(problem: string, timestamp: number): StreamError {
  return new StreamError(
    `${problem} The record's time is ${timestamp}, so close to the last one that its window would reach beyond it. ` +
      'Bound how far ahead records may be, by Consumed.withMaxAhead.',
    { code: 'TIMESTAMP_INVALID', kind: 'user', retriable: false, context: { timestamp } },
  )
}
