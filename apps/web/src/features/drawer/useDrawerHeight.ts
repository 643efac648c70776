import { type PointerEvent, useCallback } from 'react'
import { useStores, useView } from '../../store/context.js'

const LOWEST = 104
/** Room that stays for the bars and a strip of canvas. */
const ABOVE = 200

/** The drawer's height and the handlers of the grip that changes it. */
export function useDrawerHeight() {
  const { view } = useStores()
  const height = useView((state) => state.drawerHeight)
  const onPointerDown = useCallback(
    (event: PointerEvent<HTMLDivElement>) => {
      const grip = event.currentTarget
      const start = event.clientY
      const before = view.getState().drawerHeight
      grip.setPointerCapture(event.pointerId)
      const move = (at: globalThis.PointerEvent) => {
        const wanted = before + start - at.clientY
        view.getState().set({ drawerHeight: Math.max(LOWEST, Math.min(window.innerHeight - ABOVE, wanted)) })
      }
      const end = () => {
        grip.removeEventListener('pointermove', move)
        grip.removeEventListener('pointerup', end)
      }
      grip.addEventListener('pointermove', move)
      grip.addEventListener('pointerup', end)
    },
    [view],
  )
  return { height, grip: { onPointerDown } }
}
