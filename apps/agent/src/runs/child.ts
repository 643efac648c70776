import { register } from 'node:module'
import { SystemClock } from '@lanescope/core'
import type { WireError } from '@lanescope/shared'
import { toWireError } from '../toWireError.js'
import { captureConsole } from './child/captureConsole.js'
import { providedPackages } from './child/providedPackages.js'
import { RunSession } from './child/RunSession.js'
import { Sentinel } from './child/Sentinel.js'
import type { FromChild, RunOrder, ToChild } from './childProtocol.js'

/* The process of one run. User code runs here and nowhere else in the agent. */

const clock = new SystemClock()

function main(): void {
  // A terminal's Ctrl-C reaches every process of its group; the agent is the one to say what follows.
  for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => {})
  // Without an agent there is nobody to run for.
  process.on('disconnect', () => process.exit(1))
  process.once('message', (message) => {
    const first = message as ToChild
    if (first.type === 'start') void run(first.order)
  })
}

async function run(order: RunOrder): Promise<void> {
  const sentinel = new Sentinel(order.heartbeatMs, order.stalledMs)
  beat(order, sentinel)
  const packages = providedPackages()
  register('./child/resolveHook.js', import.meta.url, {
    data: new Map([...packages].map(([name, { url }]) => [name, url])),
  })
  const session = new RunSession({ order, clock, sentinel, packages, send })
  // Sent to the agent's whole group it means what the agent says a moment later; sent to this process alone, the same.
  process.on('SIGTERM', () => void session.stop())
  captureConsole((level, line) => session.print(level, line))
  for (const kind of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(kind, (error) => leave({ type: 'ended', error: crash(error, session) }))
  }
  process.on('message', (message) => void onMessage(message as ToChild, session))
  try {
    await session.start()
  } catch (error) {
    leave({ type: 'refused', error: session.tell(error) })
    return
  }
  send({ type: 'started' })
  leave({ type: 'ended', error: await session.over })
}

async function onMessage(message: ToChild, session: RunSession): Promise<void> {
  if (message.type === 'stop') await session.stop()
  if (message.type !== 'ask') return
  const { id, query } = message
  try {
    send({ type: 'answer', id, ok: true, result: await session.ask(query) })
  } catch (error) {
    send({ type: 'answer', id, ok: false, error: toWireError(error) })
  }
}

function beat(order: RunOrder, sentinel: Sentinel): void {
  sentinel.turn()
  send({ type: 'heartbeat', residentBytes: process.memoryUsage.rss() })
  clock.after(order.heartbeatMs, () => beat(order, sentinel))
}

function send(message: FromChild, taken?: () => void): void {
  process.send?.(message, undefined, undefined, () => taken?.())
}

/** Says the last word and ends. */
function leave(message: FromChild): void {
  send(message, () => process.exit(0))
}

function crash(error: unknown, session: RunSession): WireError {
  const { where, stack } = session.tell(error)
  const said = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  return {
    code: 'RUN_CRASHED',
    kind: 'user',
    message: `An error that nothing caught ended the run, from a promise that was not awaited or from a timer of the code's own: ${said}`,
    context: {},
    ...(where === undefined ? {} : { where }),
    ...(stack === undefined ? { stack: error instanceof Error ? (error.stack ?? said) : said } : { stack }),
  }
}

main()
