import { type ReactFlowState, useStore } from '@xyflow/react'

/** How much of a node is drawn from this distance. */
export type ZoomLevel = 'full' | 'name' | 'none'

const levelOf = (state: ReactFlowState): ZoomLevel => {
  const zoom = state.transform[2]
  if (zoom < 0.35) return 'none'
  return zoom < 0.6 ? 'name' : 'full'
}

export function useZoomLevel(): ZoomLevel {
  return useStore(levelOf)
}
