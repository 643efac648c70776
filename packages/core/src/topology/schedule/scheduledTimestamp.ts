/**
 * The timestamp of a scheduled record that has none of its own (T12).
 *
 * @param at the tick's scheduled time
 * @param clocks the event clocks of the nodes that `CompiledSchedule.clockNodes` names, −1 where one is still unknown
 * @returns the smallest of them, so that a tick never runs ahead of the topics it meets; 0 when one is unknown, as for
 *   processing-time timers; `at` when no node behind the source reads a topic
 */
export function scheduledTimestamp(at: number, clocks: Iterable<number>): number {
  let smallest: number | undefined
  for (const clock of clocks) if (smallest === undefined || clock < smallest) smallest = clock
  return smallest === undefined ? at : Math.max(0, smallest)
}
