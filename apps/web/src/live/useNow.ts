import { useServices } from '../app/services.js'
import { useLive } from './LiveProvider.js'

/** The page's clock, moved twice a second. */
export function useNow(): number {
  const { clock } = useServices()
  return useLive((state) => state.now) ?? clock.now()
}
