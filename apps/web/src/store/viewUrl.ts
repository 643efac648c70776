import { type Mode, TAB_IDS, type TabId, type ViewState } from './viewStore.js'

/** What a link carries: the open project and what is looked at in it. */
export interface Link {
  readonly project: string | null
  readonly view: Partial<
    Pick<ViewState, 'mode' | 'selection' | 'findingId' | 'panel' | 'tab' | 'drawerOpen' | 'code' | 'params' | 'search'>
  >
}

const MODES: readonly Mode[] = ['design', 'live']
/** Parameters of single tabs stand under their own prefix, so that no tab can shadow ours. */
const TAB_PREFIX = 't.'

type Shown = Pick<ViewState, 'mode' | 'selection' | 'findingId' | 'tab' | 'drawerOpen' | 'code' | 'params' | 'search'>

/** The query string of a view, without what is as it starts. */
export function formatLink(project: string | null, view: Shown): string {
  const query = new URLSearchParams()
  if (project !== null) query.set('project', project)
  if (view.mode !== 'design') query.set('mode', view.mode)
  if (view.selection.length > 0) query.set('node', view.selection.join(','))
  if (view.findingId !== null) query.set('finding', view.findingId)
  if (view.tab !== 'problems') query.set('tab', view.tab)
  if (!view.drawerOpen) query.set('drawer', 'closed')
  if (view.code)
    query.set('file', view.code.line === undefined ? view.code.path : `${view.code.path}:${view.code.line}`)
  if (view.search) query.set('find', view.search)
  for (const [name, value] of Object.entries(view.params)) query.set(TAB_PREFIX + name, value)
  const text = query.toString()
  return text === '' ? '' : `?${text}`
}

/** Reads a query string; what it does not understand is left at its start. */
export function parseLink(search: string): Link {
  const query = new URLSearchParams(search)
  const mode = MODES.find((one) => one === query.get('mode'))
  const tab = TAB_IDS.find((one): one is TabId => one === query.get('tab'))
  const selection = (query.get('node') ?? '').split(',').filter((id) => id !== '')
  const findingId = query.get('finding')
  const file = query.get('file')
  const find = query.get('find')
  const params: { [name: string]: string } = {}
  for (const [name, value] of query) if (name.startsWith(TAB_PREFIX)) params[name.slice(TAB_PREFIX.length)] = value
  return {
    project: query.get('project'),
    view: {
      ...(mode && { mode }),
      ...(tab && { tab }),
      ...(selection.length > 0 && { selection, panel: 'node' as const }),
      ...(findingId && { findingId, panel: 'finding' as const }),
      ...(query.get('drawer') === 'closed' && { drawerOpen: false }),
      ...(file && { code: parsePlace(file) }),
      ...(find && { search: find }),
      params,
    },
  }
}

function parsePlace(text: string) {
  const [, path, line] = /^(.*?)(?::(\d+))?$/.exec(text) ?? []
  return line === undefined ? { path: path ?? text } : { path: path ?? text, line: Number(line) }
}
