import { createContext, useContext } from 'react'
import type { AddGoal } from '../model/commands/insert.js'

/** What parts of the canvas ask the canvas to do. */
export interface CanvasActions {
  /** Opens the list of kinds at a place on the screen; what is chosen follows a node or goes into an edge. */
  offerKinds(at: { readonly x: number; readonly y: number }, goal: AddGoal): void
  showFinding(nodeId: string): void
}

const Actions = createContext<CanvasActions | null>(null)
export const CanvasActionsProvider = Actions

export function useCanvasActions(): CanvasActions {
  const actions = useContext(Actions)
  if (!actions) throw new Error('A part of the canvas stands outside it.')
  return actions
}
