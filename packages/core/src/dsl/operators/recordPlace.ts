import type { OperatorContext } from '../../processor/OperatorContext.js'

/** Where the source record of a callback was read, as Kafka's log lines say it. */
export function recordPlace({ coordinates }: OperatorContext<any, any, any>): string {
  if (coordinates === null) return 'topic=[null] partition=[-1] offset=[-1]'
  return `topic=[${coordinates.topic}] partition=[${coordinates.partition}] offset=[${coordinates.offset}]`
}
