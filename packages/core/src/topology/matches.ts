/** Whether a pattern finds a topic; a global or sticky one remembers nothing of it. */
export function matches(pattern: RegExp, topic: string): boolean {
  return new RegExp(pattern.source, pattern.flags.replace(/[gy]/g, '')).test(topic)
}
