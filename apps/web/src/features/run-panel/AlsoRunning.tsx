import { Popover } from 'radix-ui'
import { useMemo } from 'react'
import { useServices } from '../../app/services.js'
import { formatDateTime } from '../../live/formatTime.js'
import { runsElsewhere } from '../../live/livingRuns.js'
import { useConnection, useProject } from '../../store/context.js'
import './run-controls.css'

/** Runs of other projects: they go on while this one is open, and can be stopped from here. */
export function AlsoRunning() {
  const runs = useConnection((state) => state.runs)
  const projectId = useProject((state) => state.projectId)
  const elsewhere = useMemo(() => runsElsewhere(runs, projectId), [runs, projectId])
  const { run, session, notify } = useServices()
  const [first] = elsewhere
  if (first === undefined) return null
  const open = (id: string) =>
    void session
      .openProject(id)
      .catch((error: unknown) => notify(error instanceof Error ? error.message : String(error), 'danger'))
  const words = elsewhere.length === 1 ? first.projectId : `${elsewhere.length} projects`
  return (
    <Popover.Root>
      <Popover.Trigger
        className="button small also-running"
        title={`Also running: ${words}`}
        aria-label={`Also running: ${words}`}
      >
        <i /> <span className="also-long">also running: {words}</span>
        <span className="also-short">+{elsewhere.length} running</span>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content className="run-popover" align="start" sideOffset={6} aria-label="Also running">
          <ul>
            {elsewhere.map(({ runId, projectId: id, startedAt }) => (
              <li key={runId}>
                <Popover.Close asChild>
                  <button type="button" className="also-open" onClick={() => open(id)}>
                    <b>{id}</b> <span className="ink-3">since {formatDateTime(startedAt)} UTC</span>
                  </button>
                </Popover.Close>
                <button
                  type="button"
                  className="button lined small"
                  aria-label={`Stop ${id}`}
                  onClick={() => void run.stop(runId)}
                >
                  Stop
                </button>
              </li>
            ))}
          </ul>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  )
}
