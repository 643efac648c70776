import { DropdownMenu } from 'radix-ui'
import { useServices } from '../../app/services.js'
import { cannotRun, startOrSay } from '../../live/cannotRun.js'
import { formatCount } from '../../live/formatNumber.js'
import { useLive, useLiveStore } from '../../live/LiveProvider.js'
import { RUN_CHOICES } from '../../live/runActions.js'
import { useConnection, useProject, useRun, useStores, useView } from '../../store/context.js'
import { Glyph } from '../../ui/Glyph.js'
import { AlsoRunning } from './AlsoRunning.js'
import { CreateTopics } from './CreateTopics.js'
import { formatUptime } from './formatUptime.js'
import { OutdatedButton } from './Outdated.js'
import { Refusal } from './Refusal.js'
import { overrideWords } from './runWords.js'
import './run-panel.css'
import './run-controls.css'

/** Run with its choices, or Pause, Stop, time and epoch while a run lives; what was refused, and what else runs. */
export function RunControls() {
  const run = useRun((state) => state.run)
  const starting = useRun((state) => state.starting)
  const refusal = useRun((state) => state.refusal)
  const living = run !== null && run.endedAt === null
  const overrides = living ? overrideWords(run.overrides) : []
  return (
    <div className="run-controls">
      {living ? <Living /> : <Start starting={starting} />}
      {run !== null && <RunFacts failed={run.state === 'failed'} />}
      {overrides.length > 0 && (
        <span className="run-overrides caution" title={`For this run alone: ${overrides.join(', ')}`}>
          {overrides.join(', ')}
        </span>
      )}
      {living && <OutdatedButton />}
      {refusal && <CreateTopics error={refusal} />}
      {refusal && <Refusal key={refusal.message} error={refusal} />}
      <AlsoRunning />
    </div>
  )
}

function Start({ starting }: { readonly starting: boolean }) {
  const stores = useStores()
  const services = useServices()
  const connected = useConnection((state) => state.status === 'open')
  const open = useProject((state) => state.projectId !== null)
  const reason = useProject((state) => cannotRun(state.workspace.document))
  const waits = open && reason !== null
  const disabled = !open || starting || !connected
  return (
    <span className="run-split">
      <button
        type="button"
        className={waits ? 'button lined waits' : 'button lined'}
        disabled={disabled}
        // A click says why, which a hint on a disabled button does to few.
        aria-disabled={waits}
        title={waits ? reason : undefined}
        onClick={() => void startOrSay(stores, services)}
      >
        <Glyph name="play" size={14} /> {starting ? 'Starting…' : 'Run'}
      </button>
      <DropdownMenu.Root>
        <DropdownMenu.Trigger className="button lined run-more" aria-label="Run options" disabled={disabled || waits}>
          <Glyph name="down" size={12} />
        </DropdownMenu.Trigger>
        <DropdownMenu.Portal>
          <DropdownMenu.Content className="run-menu" align="start" sideOffset={4}>
            {RUN_CHOICES.map((choice) => (
              <DropdownMenu.Item
                key={choice.id}
                className="run-choice"
                onSelect={() => void startOrSay(stores, services, choice)}
              >
                <span>{choice.label}</span>
                <span className="mono ink-3">{choice.hint}</span>
              </DropdownMenu.Item>
            ))}
          </DropdownMenu.Content>
        </DropdownMenu.Portal>
      </DropdownMenu.Root>
    </span>
  )
}

function Living() {
  const { run } = useServices()
  const live = useLiveStore()
  const paused = useLive((state) => state.pausedAt !== null) ?? false
  const held = useLive((state) => state.heldBack) ?? 0
  const stopping = useRun((state) => state.run?.state === 'stopping')
  return (
    <>
      <button
        type="button"
        className="button lined"
        aria-pressed={paused}
        onClick={() => (paused ? live?.resume() : live?.pause())}
      >
        <Glyph name={paused ? 'play' : 'pause'} size={14} /> {paused ? 'Resume view' : 'Pause view'}
      </button>
      {paused && <span className="ink-3 run-held">{formatCount(held)} frames held back</span>}
      <button
        type="button"
        className="button lined"
        aria-label="Stop the run"
        disabled={stopping}
        onClick={() => void run.stop()}
      >
        <Glyph name="stop" size={14} /> {stopping ? 'Stopping…' : 'Stop'}
      </button>
    </>
  )
}

function RunFacts({ failed }: { readonly failed: boolean }) {
  const uptime = useLive((state) => Math.floor((state.view?.frame?.snapshot.uptimeMs ?? -1_000) / 1_000)) ?? -1
  const epoch = useLive((state) => state.view?.frame?.snapshot.epoch.number ?? -1) ?? -1
  const state = useRun((run) => run.run?.state)
  // In Live mode it stands beside the project's name.
  const said = useView((view) => view.mode === 'live')
  return (
    <span className="run-facts mono">
      {uptime >= 0 && formatUptime(uptime * 1_000)}
      {epoch >= 0 && <span className="run-epoch"> · epoch {formatCount(epoch)}</span>}
      {!said && state !== 'running' && <span className={failed ? 'danger' : 'ink-3'}> · {state}</span>}
    </span>
  )
}
