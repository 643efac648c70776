import type { RecordLog } from '@lanescope/core'

/**
 * Asks the brokers once at the start, so that a wrong address is told before the first run meets it.
 *
 * @param open connects, and throws when none answers
 * @returns a line that says so; undefined when they answer
 */
export async function askKafka(
  servers: string,
  open: () => Promise<Pick<RecordLog, 'close'>>,
): Promise<string | undefined> {
  try {
    const log = await open()
    await log.close()
    return undefined
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return `Kafka at ${servers} cannot be used just now, and runs will fail until it can: ${why}`
  }
}
