import { Consumed, Produced, SystemClock, string, Topology } from '@lanescope/core'
import { run } from '@lanescope/node'

/* An application in a process of its own, so that it can be frozen: it copies one topic to another. */

const [bootstrap, id, from, to, stateDir] = process.argv.slice(2)
const app = await run(
  new Topology()
    .addSource('in', Consumed.with(string, string), from)
    .addSink('out', to, Produced.with(string, string), 'in'),
  {
    'application.id': id,
    'bootstrap.servers': bootstrap,
    'state.dir': stateDir,
    'future-timestamp.guard': 'off',
    'future-timestamp.check': 'off',
    'topology.validation.future-timestamp': 'off',
  },
  { clock: new SystemClock() },
)
process.stdout.write('running\n')
const failure = await app.finished
process.stdout.write(`${JSON.stringify({ code: failure?.code, message: failure?.message })}\n`)
process.exit(failure === undefined ? 0 : 1)
