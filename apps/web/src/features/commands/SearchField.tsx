import { useMemo } from 'react'
import { searchNodes } from '../../model/search.js'
import { useProject, useStores, useView } from '../../store/context.js'
import { Glyph } from '../../ui/Glyph.js'
import './search-field.css'

/** Search over names, topics, parameters and code: what is not found is dimmed. Enter goes from hit to hit. */
export function SearchField() {
  const search = useView((state) => state.search)
  const workspace = useProject((state) => state.workspace)
  const { view } = useStores()
  const hits = useMemo(() => (search ? searchNodes(workspace, search) : []), [workspace, search])
  if (search === null) return null
  const step = () => {
    const at = hits.findIndex((hit) => hit.id === view.getState().selection[0])
    const next = hits[(at + 1) % hits.length]
    if (next) view.getState().set({ selection: [next.id] })
  }
  return (
    <search className="search-field">
      <Glyph name="search" size={14} />
      <input
        // biome-ignore lint/a11y/noAutofocus: the person asked to search
        autoFocus
        aria-label="Search the topology"
        placeholder="Names, topics, stores, code"
        value={search}
        onChange={(event) => view.getState().set({ search: event.currentTarget.value })}
        onKeyDown={(event) => {
          if (event.key === 'Enter') step()
          if (event.key === 'Escape') view.getState().set({ search: null })
        }}
      />
      <span role="status">
        {search === '' ? '' : hits.length === 0 ? 'none' : hits.length === 1 ? '1 node' : `${hits.length} nodes`}
      </span>
      <button
        type="button"
        className="icon-button small"
        aria-label="End the search"
        onClick={() => view.getState().set({ search: null })}
      >
        <Glyph name="close" />
      </button>
    </search>
  )
}
