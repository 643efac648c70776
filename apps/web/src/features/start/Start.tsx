import { type DragEvent, type KeyboardEvent, useCallback, useEffect, useRef, useState } from 'react'
import { allowKind, draggedKind } from '../../canvas/useDrops.js'
import { NODE_HEIGHT, NODE_WIDTH } from '../../model/layout.js'
import { useConnection } from '../../store/context.js'
import { Glyph, type GlyphName } from '../../ui/Glyph.js'
import { useCommands } from '../commands/useCommands.js'
import { LanesBackdrop } from './LanesBackdrop.js'
import { NewProject } from './NewProject.js'
import { ProjectList } from './ProjectList.js'
import { type StartWays, useStartWays } from './useStartWays.js'
import './start.css'

/** The first screen: an example that goes wrong in silence, a source of one's own, or a project that is there. */
export function Start() {
  const ways = useStartWays()
  const list = useRef<HTMLDivElement>(null)
  const [more, setMore] = useState<'examples' | 'projects' | 'new' | 'kafka' | null>(null)
  const toggle = (what: NonNullable<typeof more>) => setMore(more === what ? null : what)
  const projects = useConnection((state) => state.projects)
  const commands = useCommands()
  const firstId = ways.examples[0]?.id
  useEffect(() => {
    if (ways.ready && firstId !== undefined)
      list.current?.querySelector('button')?.focus({ focusVisible: false } as FocusOptions)
  }, [ways.ready, firstId])
  const { startWith } = ways
  const addSource = useCallback(() => startWith('source'), [startWith])
  useStartKeys(addSource)
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step === 0) return
    event.preventDefault()
    const buttons = [...event.currentTarget.querySelectorAll<HTMLElement>('button:not(:disabled)')]
    buttons[(buttons.indexOf(event.target as HTMLElement) + step + buttons.length) % buttons.length]?.focus()
  }
  const [first, ...others] = ways.examples
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a place to drop a kind on; its keys are those of the palette
    <div className="start-stage" onDragOver={allowKind} onDrop={(event) => dropOnStage(event, ways)}>
      <LanesBackdrop />
      <section className="start" aria-label="Start a topology">
        <h1>Start a topology</h1>
        <p>
          Draw, run and watch keyed stream processing, lane by lane. Or open a topology that goes wrong in silence, and
          see why.
        </p>
        {/* biome-ignore lint/a11y/noStaticElementInteractions: arrows move between the buttons in it */}
        <div ref={list} onKeyDown={onKeyDown}>
          {first && (
            <Way
              glyph="example"
              title={`Open the example ${first.title}`}
              text={first.description}
              keys="Enter"
              first
              onGo={() => ways.openExample(first.id)}
            />
          )}
          {first && ways.hasCopyOf(first.id) && (
            <button type="button" className="way-more" onClick={() => ways.openExample(first.id, true)}>
              Open a fresh copy of it
            </button>
          )}
          {more === 'examples' &&
            others.map((example) => (
              <Way
                key={example.id}
                glyph="window"
                title={example.title}
                text={example.description}
                onGo={() => ways.openExample(example.id)}
              />
            ))}
          <Way
            glyph="source"
            title="Add a source"
            text="A topic to read, in a project of its own. Or drag one from the left."
            keys="N"
            disabled={!ways.ready}
            onGo={addSource}
          />
          <Way
            glyph="paste"
            title="Paste a TopologyDescription"
            text="Of any Kafka Streams application, as describe() prints it."
            keys="Ctrl V"
            disabled={!ways.ready}
            onGo={() => commands.run('import')}
          />
          <Way
            glyph="plus"
            title="New project"
            text="Empty, under a name of your own."
            disabled={!ways.ready}
            onGo={() => toggle('new')}
            expanded={more === 'new'}
          />
          {more === 'new' && <NewProject />}
          {projects.length > 0 && (
            <Way
              glyph="folder"
              title="Open a project"
              text={`${projects.length} in ${ways.folder ?? 'the projects folder'}`}
              onGo={() => toggle('projects')}
              expanded={more === 'projects'}
            />
          )}
          {more === 'projects' && <ProjectList />}
        </div>
        {more === 'kafka' && <KafkaNote servers={ways.servers} />}
        <footer>
          {others.length > 0 && (
            <button type="button" aria-expanded={more === 'examples'} onClick={() => toggle('examples')}>
              More examples
            </button>
          )}
          {ways.waits && <span role="status">Waiting for Lanescope…</span>}
          <button type="button" aria-expanded={more === 'kafka'} onClick={() => toggle('kafka')}>
            {ways.servers === undefined ? 'Connect to Kafka' : 'On Kafka'}
          </button>
          <span className="spring" />
          <button type="button" onClick={() => commands.run('keys')}>
            Keys <kbd>?</kbd>
          </button>
        </footer>
      </section>
    </div>
  )
}

/** Which log runs use is said when Lanescope is started: opening a project never connects to a cluster by itself. */
function KafkaNote({ servers }: { readonly servers: string | undefined }) {
  return (
    <p className="start-kafka">
      {servers === undefined ? (
        <>
          Runs use a log of their own, without Kafka. Start Lanescope with{' '}
          <code className="mono">npm start -- --bootstrap-servers host:9092</code> to read and write the topics of a
          cluster.
        </>
      ) : (
        <>
          Runs read and write the topics of <code className="mono">{servers}</code>.
        </>
      )}
    </p>
  )
}

function Way(props: {
  readonly glyph: GlyphName
  readonly title: string
  readonly text: string
  readonly keys?: string
  readonly first?: boolean
  readonly disabled?: boolean
  readonly expanded?: boolean
  readonly onGo: () => void
}) {
  const { glyph, title, text, keys, first, disabled, expanded, onGo } = props
  return (
    <button
      type="button"
      className={first ? 'way first' : 'way'}
      aria-label={title}
      aria-expanded={expanded}
      disabled={disabled}
      onClick={onGo}
    >
      <Glyph name={glyph} size={18} />
      <span>
        <b>{title}</b>
        <small>{text}</small>
      </span>
      {keys && <kbd>{keys}</kbd>}
    </button>
  )
}

/** What is dropped here is the first node of a project, at the place where the canvas then shows it. */
function dropOnStage(event: DragEvent<HTMLElement>, ways: StartWays): void {
  const kind = draggedKind(event)
  if (!kind || !ways.ready) return
  event.preventDefault()
  const box = event.currentTarget.getBoundingClientRect()
  const x = event.clientX - box.left - NODE_WIDTH / 2
  const y = event.clientY - box.top - NODE_HEIGHT / 2
  ways.startWith(kind, { x, y })
}

/** N adds a source wherever the focus is on this screen. */
function useStartKeys(addSource: () => void): void {
  useEffect(() => {
    const onKeyDown = (event: globalThis.KeyboardEvent) => {
      const typing = (event.target as Element | null)?.closest('input, textarea, [role="dialog"]')
      if (typing || event.ctrlKey || event.metaKey || event.altKey || event.key.toLowerCase() !== 'n') return
      event.preventDefault()
      addSource()
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [addSource])
}
