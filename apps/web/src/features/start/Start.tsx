import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { useConnection } from '../../store/context.js'
import { Glyph, type GlyphName } from '../../ui/Glyph.js'
import { useCommands } from '../commands/useCommands.js'
import { LanesBackdrop } from './LanesBackdrop.js'
import { ProjectList } from './ProjectList.js'
import { useStartWays } from './useStartWays.js'
import './start.css'

/** The first screen: an example that goes wrong in silence, a source of one's own, or a project that is there. */
export function Start() {
  const ways = useStartWays()
  const list = useRef<HTMLDivElement>(null)
  const [more, setMore] = useState<'examples' | 'projects' | null>(null)
  const projects = useConnection((state) => state.projects)
  const commands = useCommands()
  const firstId = ways.examples[0]?.id
  useEffect(() => {
    if (ways.ready && firstId !== undefined)
      list.current?.querySelector('button')?.focus({ focusVisible: false } as FocusOptions)
  }, [ways.ready, firstId])
  useStartKeys(ways.addSource)
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step === 0) return
    event.preventDefault()
    const buttons = [...event.currentTarget.querySelectorAll<HTMLElement>('button:not(:disabled)')]
    buttons[(buttons.indexOf(event.target as HTMLElement) + step + buttons.length) % buttons.length]?.focus()
  }
  const [first, ...others] = ways.examples
  return (
    <div className="start-stage">
      <LanesBackdrop />
      <section className="start" aria-label="Start a topology">
        <h1>Start a topology</h1>
        <p>Or open one that goes wrong in silence, and see why.</p>
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
            text="A topic to read, in a project of its own."
            keys="N"
            disabled={!ways.ready}
            onGo={ways.addSource}
          />
          {projects.length > 0 && (
            <Way
              glyph="folder"
              title="Open a project"
              text={`${projects.length} in ${ways.folder ?? 'the projects folder'}`}
              onGo={() => setMore(more === 'projects' ? null : 'projects')}
              expanded={more === 'projects'}
            />
          )}
          {more === 'projects' && <ProjectList />}
        </div>
        <footer>
          {others.length > 0 && (
            <button
              type="button"
              aria-expanded={more === 'examples'}
              onClick={() => setMore(more === 'examples' ? null : 'examples')}
            >
              More examples
            </button>
          )}
          {!ways.ready && <span role="status">Waiting for Lanescope…</span>}
          <span className="spring" />
          <button type="button" onClick={() => commands.run('keys')}>
            Keys <kbd>?</kbd>
          </button>
        </footer>
      </section>
    </div>
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
