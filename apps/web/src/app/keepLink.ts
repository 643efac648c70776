import type { AppStores } from '../store/AppStores.js'
import { formatLink, parseLink } from '../store/viewUrl.js'

/** Keeps the address in step with what is looked at, both ways; another node or tab is a place to come back to. */
export function keepLink(host: Window, stores: AppStores): void {
  const { project, view } = stores
  const write = () => {
    // Before the linked project is open, the address is the only place that names it.
    const opening = project.getState().projectId === null && parseLink(host.location.search).project !== null
    if (opening && stores.connection.getState().status !== 'refused') return
    const next = formatLink(project.getState().projectId, view.getState())
    if (next !== host.location.search) host.history.replaceState(null, '', next === '' ? host.location.pathname : next)
  }
  view.subscribe(write)
  project.subscribe((state, before) => {
    if (state.projectId === before.projectId) return
    const next = formatLink(state.projectId, view.getState())
    if (next !== host.location.search) host.history.pushState(null, '', next === '' ? host.location.pathname : next)
    host.document.title = state.projectId === null ? 'Lanescope' : `${state.workspace.document.name} · Lanescope`
  })
}
