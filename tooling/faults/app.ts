import { parseArgs } from 'node:util'
import { SystemClock } from '@lanescope/core'
import { run } from '@lanescope/node'
import { build, type Kind, kinds } from './topologies.js'

/* The application that is broken, in a process of its own. It says when it runs, and works until it is told to stop. */

const { values } = parseArgs({
  options: {
    kind: { type: 'string' },
    bootstrap: { type: 'string' },
    input: { type: 'string' },
    output: { type: 'string' },
    id: { type: 'string' },
    state: { type: 'string' },
    transaction: { type: 'string', default: '10000' },
    letters: { type: 'string' },
  },
})
const kind = kinds.find((known) => known === values.kind) as Kind
try {
  const app = await run(
    build(kind, values.input as string, values.output as string),
    {
      'application.id': values.id,
      'bootstrap.servers': values.bootstrap,
      'state.dir': values.state,
      'producer.transaction.timeout.ms': Number(values.transaction),
      'default.key.serde': 'string',
      'time.max-out-of-orderness-ms': 0,
      'time.idle-after-ms': 60_000,
      // So little that local state has files of its own, which can be damaged.
      'state.cache.max.bytes': 0,
      'state.buffer.max.bytes': 1_000,
      ...(values.letters === undefined
        ? { 'future-timestamp.guard': 'off' }
        : { 'errors.dead.letter.queue.topic.name': values.letters }),
      'future-timestamp.check': 'off',
      'topology.validation.future-timestamp': 'off',
    },
    {
      clock: new SystemClock(),
      report: (level, message) => say(`${level} ${message}`),
      onEngine: ({ events }) =>
        events.on(['log', 'error', 'epoch-aborted'], (event) =>
          say(event.type === 'log' ? `${event.level} ${event.message}` : JSON.stringify(event)),
        ),
    },
  )
  process.on('SIGTERM', () => void app.stop())
  process.stdout.write('running\n')
  const failure = await app.finished
  if (failure !== undefined) say(`failed: ${failure.code} ${failure.message}`)
  process.exit(failure === undefined ? 0 : 1)
} catch (error) {
  say(`did not start: ${error instanceof Error ? error.message : String(error)}`)
  process.exit(1)
}

function say(line: string): void {
  process.stderr.write(`${line}\n`)
}
