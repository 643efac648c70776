import { execFile, execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

export { type KafkaBroker, startKafkaBroker, whyNoBroker } from '../../packages/node/test/kafkaBroker.js'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** Sends records as any Kafka producer does: through Kafka's own Java client, which knows nothing of us. */
export async function produceAsAnyone(
  bootstrap: string,
  topic: string,
  records: readonly (readonly [key: string, value: string])[],
): Promise<void> {
  const jars = execFileSync(here('../../tooling/kafka/jars'), { encoding: 'utf8' }).trim()
  await new Promise<void>((resolve, reject) => {
    const java = execFile(
      'java',
      ['-cp', `${jars}/*`, here('Produce.java'), bootstrap, topic],
      (error, _out, stderr) => {
        if (error) reject(new Error(`The Java producer failed: ${stderr || error.message}`))
        else resolve()
      },
    )
    java.stdin?.end(records.map(([key, value]) => `${key}\t${value}\n`).join(''))
  })
}
