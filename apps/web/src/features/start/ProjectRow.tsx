import type { ProjectSummary } from '@lanescope/shared'
import { DropdownMenu } from 'radix-ui'
import { useState } from 'react'
import { useServices } from '../../app/services.js'
import { formatOf } from '../../live/formatNumber.js'
import { formatDateTime } from '../../live/formatTime.js'
import { Glyph } from '../../ui/Glyph.js'
import { DeleteProject } from './DeleteProject.js'
import { RenameProject } from './RenameProject.js'
import '../../ui/menu.css'

/** A project of the list: opened by a click; its menu renames, copies and deletes it in place. */
export function ProjectRow(props: {
  readonly project: ProjectSummary
  readonly running: boolean
  readonly onOpen: () => void
}) {
  const { project, running, onOpen } = props
  const { id } = project
  const { folders, notify } = useServices()
  const [act, setAct] = useState<'rename' | 'delete' | null>(null)
  const duplicate = () =>
    void folders
      .duplicate(id)
      .catch((error: unknown) => notify(error instanceof Error ? error.message : String(error), 'danger'))
  if (act === 'rename') return <RenameProject projectId={id} onDone={() => setAct(null)} />
  if (act === 'delete') return <DeleteProject projectId={id} onDone={() => setAct(null)} />
  return (
    <div className="project-row">
      <button type="button" aria-label={`Open ${id}`} onClick={onOpen}>
        <b>{id}</b>
        <span>
          {running && <span className="flow">running · </span>}
          {formatOf(project.nodes, 'node')}
        </span>
        <time>{formatDateTime(project.changedAt, 'minute')} UTC</time>
      </button>
      <DropdownMenu.Root>
        <DropdownMenu.Trigger className="icon-button small" aria-label={`More for ${id}`}>
          <Glyph name="more" size={14} />
        </DropdownMenu.Trigger>
        <DropdownMenu.Portal>
          <DropdownMenu.Content className="menu" align="end" sideOffset={2}>
            <DropdownMenu.Item className="menu-item" disabled={running} onSelect={() => setAct('rename')}>
              Rename…{running && <small>stop it first</small>}
            </DropdownMenu.Item>
            <DropdownMenu.Item className="menu-item" onSelect={duplicate}>
              Duplicate
            </DropdownMenu.Item>
            <DropdownMenu.Item className="menu-item" disabled={running} onSelect={() => setAct('delete')}>
              Delete…{running && <small>stop it first</small>}
            </DropdownMenu.Item>
          </DropdownMenu.Content>
        </DropdownMenu.Portal>
      </DropdownMenu.Root>
    </div>
  )
}
