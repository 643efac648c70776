import { useServices } from '../../app/services.js'
import { keptOf } from '../../live/journal.js'
import { useLive } from '../../live/LiveProvider.js'
import { useProject, useRun, useStores } from '../../store/context.js'
import { topicToFeed } from '../topics/topicRoles.js'
import { NotBuilt } from './NotBuilt.js'
import { OutdatedNote } from './Outdated.js'

/** What one has to know before reading the run's figures: an older topology, state that was lost, nothing to read. */
export function RunNotes() {
  return (
    <>
      <OutdatedNote />
      <NotBuilt />
      <LostState />
      <Waiting />
    </>
  )
}

/** The engine says so in its log as it starts; here it is where the numbers are that it falsifies. */
function LostState() {
  const { run } = useServices()
  const message = useLive((state) => (state.view ? lostState(state.view.journal) : null)) ?? null
  const over = useRun((state) => state.run !== null && state.run.endedAt !== null)
  if (message === null) return null
  const again = async () => {
    if (over || (await run.stop())) await run.start({}, true)
  }
  return (
    <div className="run-note" role="note">
      <p>
        <b>{whatStartsEmpty(message)}</b> {message}
      </p>
      <button type="button" className="button lined small" onClick={() => void again()}>
        Run from the beginning
      </button>
    </div>
  )
}

/** The engine's warning about state that a run goes on without; null when it has none. */
export function lostState(journal: Parameters<typeof keptOf>[0]): string | null {
  const line = keptOf(journal, 'log').items.find(
    (event) => event.level === 'warn' && event.message.includes(STARTS_EMPTY),
  )
  return line?.message ?? null
}

/** The warning's headline. One that is about a single store names it: the others go on as they were. */
export function whatStartsEmpty(message: string): string {
  const [, store] = /^What the last run kept in "([^"]+)"/.exec(message) ?? []
  return store === undefined ? 'State and timers start empty.' : `"${store}" starts empty.`
}

const STARTS_EMPTY = 'so it starts empty'

/** A run without traffic looks dead until somebody feeds it. */
function Waiting() {
  const { project, view } = useStores()
  const fed = useProject((state) => state.workspace.document.generators.length > 0)
  const living = useRun((state) => state.run?.state === 'running')
  const idle = useLive(
    (state) => state.view?.frame != null && !state.view.frame.snapshot.nodes.some((node) => node.in > 0),
  )
  if (fed || !living || !idle) return null
  const send = () => {
    const topic = topicToFeed(project.getState().workspace.document, view.getState().selection[0])
    if (topic !== undefined) view.getState().setParam('topic', topic)
    view.getState().setParam('records', 'topics')
    view.getState().openTab('records')
  }
  return (
    <div className="run-note quiet">
      <p>
        <b>The run waits for records.</b> Nothing writes to its topics yet: send one from here, or from any program.
      </p>
      <button type="button" className="button lined small" onClick={send}>
        Send a record
      </button>
    </div>
  )
}
