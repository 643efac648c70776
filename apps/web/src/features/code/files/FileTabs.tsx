import { type KeyboardEvent, useState } from 'react'
import { Glyph } from '../../../ui/Glyph.js'
import type { CodeFile } from './codeFiles.js'

export interface FileTabsProps {
  readonly files: readonly CodeFile[]
  readonly open: string
  /** Paths with an error. */
  readonly wrong: ReadonlySet<string>
  readonly onOpen: (path: string) => void
  readonly onCreate: (path: string) => void
  readonly onRename: (from: string, to: string) => void
  readonly onDelete: (path: string) => void
  /** Why a name cannot be taken; `current` is the file that gives its own up. */
  readonly problemOf: (path: string, current?: string) => string | undefined
}

type Naming = { readonly what: 'new' } | { readonly what: 'rename'; readonly path: string } | null

/** The files of the project as tabs; the user's own can be made, renamed and deleted. */
export function FileTabs(props: FileTabsProps) {
  const { files, open, wrong, onOpen } = props
  const [naming, setNaming] = useState<Naming>(null)
  const file = files.find(({ path }) => path === open)
  return (
    <div className="code-tabs">
      <div
        role="tablist"
        aria-label="Files"
        className="code-tablist"
        onKeyDown={(event) => walk(event, files, open, onOpen)}
      >
        {files.map(({ path, kind }) =>
          naming?.what === 'rename' && naming.path === path ? (
            <NameField
              key={path}
              initial={path}
              label={`New name of ${path}`}
              problemOf={(name) => props.problemOf(name, path)}
              onDone={(name) => {
                setNaming(null)
                if (name !== null && name !== path) props.onRename(path, name)
              }}
            />
          ) : (
            <button
              key={path}
              type="button"
              role="tab"
              aria-selected={path === open}
              aria-label={path}
              tabIndex={path === open ? 0 : -1}
              className={kind === 'source' ? 'code-tab' : 'code-tab made'}
              onClick={() => onOpen(path)}
              onDoubleClick={() => kind === 'source' && setNaming({ what: 'rename', path })}
            >
              {path}
              {wrong.has(path) && <span className="code-tab-wrong" role="img" aria-label="has errors" />}
            </button>
          ),
        )}
      </div>
      {naming?.what === 'new' ? (
        <NameField
          initial=""
          label="Name of the new file"
          problemOf={(name) => props.problemOf(name)}
          onDone={(name) => {
            setNaming(null)
            if (name !== null) props.onCreate(name)
          }}
        />
      ) : (
        <button
          type="button"
          className="icon-button small"
          aria-label="New file"
          title="New file"
          onClick={() => setNaming({ what: 'new' })}
        >
          <Glyph name="plus" size={14} />
        </button>
      )}
      {file?.kind === 'source' && naming === null && (
        <span className="code-file-actions">
          <button type="button" className="button small" onClick={() => setNaming({ what: 'rename', path: open })}>
            Rename
          </button>
          <button type="button" className="button small" onClick={() => props.onDelete(open)}>
            Delete
          </button>
        </span>
      )}
    </div>
  )
}

function walk(event: KeyboardEvent, files: readonly CodeFile[], open: string, onOpen: (path: string) => void): void {
  const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
  if (step === 0 || event.target instanceof HTMLInputElement) return
  const at = files.findIndex(({ path }) => path === open)
  const next = files[(at + step + files.length) % files.length]
  if (next === undefined) return
  event.preventDefault()
  onOpen(next.path)
  const tab = event.currentTarget.querySelectorAll<HTMLElement>('[role="tab"]')[files.indexOf(next)]
  tab?.focus()
}

function NameField(props: {
  readonly initial: string
  readonly label: string
  readonly problemOf: (name: string) => string | undefined
  /** Null when it was given up. */
  readonly onDone: (name: string | null) => void
}) {
  const [name, setName] = useState(props.initial)
  const path = name.trim()
  const problem = path === '' ? undefined : props.problemOf(path)
  const finish = () => props.onDone(path === '' || problem !== undefined ? null : path)
  return (
    <span className="code-name">
      <input
        className="input mono"
        aria-label={props.label}
        aria-invalid={problem !== undefined}
        aria-describedby="code-name-problem"
        placeholder="enrich.ts"
        // The field appears because its button was pressed.
        // biome-ignore lint/a11y/noAutofocus: it is the answer to that press
        autoFocus
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        onFocus={(event) => event.currentTarget.setSelectionRange(0, Math.max(0, props.initial.lastIndexOf('.')))}
        onBlur={finish}
        onKeyDown={(event) => {
          event.stopPropagation()
          if (event.key === 'Enter' && problem === undefined) finish()
          if (event.key === 'Escape') props.onDone(null)
        }}
      />
      {problem !== undefined && (
        <span id="code-name-problem" role="alert" className="code-name-problem">
          {problem}
        </span>
      )}
    </span>
  )
}
