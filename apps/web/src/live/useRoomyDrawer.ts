import { useEffect } from 'react'
import { useStores } from '../store/context.js'

/** A chart on a time axis is unreadable below this, in px. */
const LOW = 300
const ROOMY = 430

/** Opens the drawer far enough for a chart when the tab is shown; a height that somebody chose and that will do stays. */
export function useRoomyDrawer(): void {
  const { view } = useStores()
  useEffect(() => {
    const { drawerHeight, set } = view.getState()
    if (drawerHeight < LOW) set({ drawerHeight: Math.min(ROOMY, Math.max(LOW, window.innerHeight - 320)) })
  }, [view])
}
