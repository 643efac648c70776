import { createContext, type ReactNode, useContext } from 'react'
import { useStore } from 'zustand'
import type { AppStores } from './AppStores.js'
import type { ConnectionState } from './connectionStore.js'
import type { FindingsState } from './findingsStore.js'
import type { NoticeState } from './noticeStore.js'
import type { ProjectState } from './projectStore.js'
import type { RunState } from './runStore.js'
import type { ViewState } from './viewStore.js'

const Stores = createContext<AppStores | null>(null)

export function StoresProvider(props: { readonly stores: AppStores; readonly children: ReactNode }) {
  return <Stores value={props.stores}>{props.children}</Stores>
}

/** The stores themselves, for reading in an event handler without subscribing. */
export function useStores(): AppStores {
  const stores = useContext(Stores)
  if (!stores) throw new Error('A component that reads a store stands outside StoresProvider; wrap it in main.tsx.')
  return stores
}

// Selectors return primitives or references that the store keeps; one that builds an object renders for ever.
export const useProject = <T,>(selector: (state: ProjectState) => T): T => useStore(useStores().project, selector)
export const useView = <T,>(selector: (state: ViewState) => T): T => useStore(useStores().view, selector)
export const useFindings = <T,>(selector: (state: FindingsState) => T): T => useStore(useStores().findings, selector)
export const useConnection = <T,>(selector: (state: ConnectionState) => T): T =>
  useStore(useStores().connection, selector)
export const useRun = <T,>(selector: (state: RunState) => T): T => useStore(useStores().run, selector)
export const useNotice = <T,>(selector: (state: NoticeState) => T): T => useStore(useStores().notice, selector)
