import type { Clock } from '@lanescope/core'
import { createContext, type ReactNode, useContext } from 'react'
import type { CanvasPort } from '../canvas/CanvasPort.js'
import type { AgentClient } from '../client/AgentClient.js'
import type { ProjectSession } from '../client/ProjectSession.js'
import type { ProjectFolders } from '../client/projectFolders.js'
import type { LanguageKeeper } from '../features/code/language/LanguageKeeper.js'
import type { RunActions } from '../live/runActions.js'

/** Collaborators that are not state: made in `main.tsx`, handed down by context. */
export interface Services {
  /** The only door to time in the page. */
  readonly clock: Clock
  readonly client: AgentClient
  readonly session: ProjectSession
  /** Renames, copies and deletes projects. */
  readonly folders: ProjectFolders
  readonly canvas: CanvasPort
  readonly run: RunActions
  /** Completion and errors for the user's code. */
  readonly language: LanguageKeeper
  /** Where the project's export is downloaded from. */
  readonly exportUrl: (projectId: string) => string
  /** Says something in passing at the foot of the canvas: a refusal, a copy, a fix. */
  readonly notify: (message: string, tone?: 'info' | 'caution' | 'danger') => void
}

const ServicesContext = createContext<Services | null>(null)

export function ServicesProvider(props: { readonly services: Services; readonly children: ReactNode }) {
  return <ServicesContext value={props.services}>{props.children}</ServicesContext>
}

export function useServices(): Services {
  const services = useContext(ServicesContext)
  if (!services)
    throw new Error('A component that needs services stands outside ServicesProvider; wrap it in main.tsx.')
  return services
}
