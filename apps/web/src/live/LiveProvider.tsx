import { createContext, type ReactNode, useContext, useEffect, useState, useSyncExternalStore } from 'react'
import { useServices } from '../app/services.js'
import { useStores } from '../store/context.js'
import type { FindingsState } from '../store/findingsStore.js'
import { keepWatching } from './keepWatching.js'
import { createLiveStore, type LiveState, type LiveStore } from './LiveStore.js'

const Live = createContext<LiveStore | null>(null)

/** Folds the run store's frames into what the live views draw. Stands inside the stores' and the services' providers. */
export function LiveProvider(props: { readonly children: ReactNode }) {
  const { clock, client } = useServices()
  const stores = useStores()
  const { run, connection, findings } = stores
  const [live] = useState(() => createLiveStore(clock))
  useEffect(() => {
    const takeRun = (state = run.getState()) => {
      live.takeRun(state.run)
      if (state.frame && state.frameAt !== null) live.takeFrame(state.frame, state.frameAt)
    }
    const takeNames = (analysis: FindingsState['analysis']) => {
      if (analysis) live.setNames(new Map(analysis.view.nodes.map((node) => [node.name, node.compiledNames])))
    }
    takeRun()
    takeNames(findings.getState().analysis)
    const ends = [
      run.subscribe((state, before) => {
        if (state.run !== before.run || state.frame !== before.frame) takeRun(state)
      }),
      connection.subscribe((state) => live.setConnected(state.status === 'open')),
      findings.subscribe((state, before) => {
        if (state.analysis !== before.analysis) takeNames(state.analysis)
      }),
      live.start(),
      keepWatching(client, stores),
    ]
    return () => {
      for (const end of ends) end()
    }
  }, [live, client, stores, run, connection, findings])
  return <LiveContext live={live}>{props.children}</LiveContext>
}

/** Hands a ready store down, for pages that fill it themselves. */
export function LiveContext(props: { readonly live: LiveStore; readonly children: ReactNode }) {
  return <Live value={props.live}>{props.children}</Live>
}

export function useLiveStore(): LiveStore | null {
  return useContext(Live)
}

/**
 * Reads from what is shown of the run. The selector returns a primitive or a reference that the state keeps;
 * undefined outside a `LiveProvider`.
 */
export function useLive<T>(selector: (state: LiveState) => T): T | undefined {
  const live = useContext(Live)
  const read = () => (live ? selector(live.getState()) : undefined)
  return useSyncExternalStore(live?.subscribe ?? subscribeToNothing, read)
}

function subscribeToNothing(): () => void {
  return () => undefined
}
