import { Consumed } from '../Consumed.js'
import type { ScheduledOptions } from './ScheduledSource.js'

/** What a scheduled source declares for the records behind it, in the form in which a topic source does (B2, T4). */
export function scheduledConsumed<K, V>({
  keySerde,
  valueSerde,
  numberOfLanes,
}: ScheduledOptions<K, V>): Consumed<any, any> {
  const consumed = Consumed.with<any, any>(keySerde, valueSerde)
  return numberOfLanes === undefined ? consumed : consumed.withNumberOfLanes(numberOfLanes)
}
