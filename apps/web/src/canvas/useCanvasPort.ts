import { useReactFlow, useStoreApi } from '@xyflow/react'
import { type RefObject, useCallback, useEffect, useRef } from 'react'
import { useServices } from '../app/services.js'
import type { Offer } from '../features/palette/AddMenu.js'
import { heightWithStores, NODE_HEIGHT, NODE_WIDTH } from '../model/layout.js'
import { useStores } from '../store/context.js'
import type { CanvasApi } from './CanvasPort.js'

/** Clear space around the drawing; above it stand the sub-topology's title and the numbered places. */
const MARGIN = { top: 112, side: 30, bottom: 48 }
/** In Live the run's cards float over the right side; a sub-topology's outline stays clear of them. */
const CARDS = 224
/** The panel's width: kept free while it is closed, so that opening it moves nothing. */
const PANEL = 336
const MOVE = { duration: 160 }
/** The canvas's coordinates as those of the drawing. */
const AS_PLACED: [number, number, number] = [0, 0, 1]

/** Lets commands reach the canvas, frames a project when it is opened, and answers "add a node". */
export function useCanvasPort(frame: RefObject<HTMLDivElement | null>, onOffer: (offer: Offer) => void) {
  const flow = useReactFlow()
  const store = useStoreApi()
  const { canvas } = useServices()
  const { project, view } = useStores()
  const fitted = useRef<string | null>(null)
  const wasEmpty = useRef(false)
  const touched = useRef(false)

  useEffect(() => {
    const size = () => ({ width: frame.current?.clientWidth ?? 1, height: frame.current?.clientHeight ?? 1 })
    const room = () => {
      const { width, height } = size()
      const { mode, panel } = view.getState()
      const kept = mode === 'live' ? CARDS : panel === null && width > PANEL * 3 ? PANEL : 0
      return { width: width - kept, height }
    }
    const isCut = ([x, y, zoom] = store.getState().transform) => {
      const { width, height } = room()
      return project.getState().workspace.document.nodes.some((node) => {
        const left = node.position.x * zoom + x
        const top = node.position.y * zoom + y
        return left <= 0 || top <= 0 || left + NODE_WIDTH * zoom > width || top + NODE_HEIGHT * zoom > height
      })
    }
    const fit = (animate = true) => {
      const { document } = project.getState().workspace
      if (document.nodes.length === 0) return
      const left = Math.min(...document.nodes.map((node) => node.position.x))
      const top = Math.min(...document.nodes.map((node) => node.position.y))
      const right = Math.max(...document.nodes.map((node) => node.position.x + NODE_WIDTH))
      const bottom = Math.max(...document.nodes.map((node) => node.position.y + heightWithStores(document, node.id)))
      const { width, height } = room()
      const needed = { width: right - left + MARGIN.side * 2, height: bottom - top + MARGIN.top + MARGIN.bottom }
      const zoom = Math.max(0.1, Math.min(1, width / needed.width, height / needed.height))
      const x = (width - (right - left) * zoom) / 2 - left * zoom
      const spare = Math.max(0, height - needed.height * zoom)
      const y = MARGIN.top * zoom + spare * 0.18 - top * zoom
      touched.current = false
      void flow.setViewport({ x, y, zoom }, animate ? MOVE : {})
    }
    const centre = () => {
      const box = frame.current?.getBoundingClientRect()
      if (!box) return { x: 0, y: 0 }
      return flow.screenToFlowPosition({ x: box.left + box.width / 2, y: box.top + box.height / 2 })
    }
    const api: CanvasApi = {
      fit: () => fit(),
      zoomTo: (zoom) => {
        touched.current = true
        void flow.zoomTo(zoom, MOVE)
      },
      zoomBy: (factor) => {
        touched.current = true
        void flow.zoomTo(flow.getZoom() * factor, MOVE)
      },
      centre,
      focus: () => frame.current?.focus({ preventScroll: true }),
      reveal: (nodeId) => {
        const node = project.getState().workspace.document.nodes.find((one) => one.id === nodeId)
        if (!node) return
        const [x, y, zoom] = store.getState().transform
        const { width, height } = size()
        const at = { x: node.position.x * zoom + x, y: node.position.y * zoom + y }
        const seen = at.x > 0 && at.y > 0 && at.x + NODE_WIDTH * zoom < width && at.y + NODE_HEIGHT * zoom < height
        if (!seen)
          void flow.setCenter(node.position.x + NODE_WIDTH / 2, node.position.y + NODE_HEIGHT / 2, { zoom, ...MOVE })
      },
    }
    const frameProject = () => {
      const { projectId, workspace, undoLabel } = project.getState()
      if (projectId === null) return
      const filled = wasEmpty.current && workspace.document.nodes.length > 0
      wasEmpty.current = workspace.document.nodes.length === 0
      if (fitted.current === projectId) {
        if (filled && isCut()) fit()
        return
      }
      fitted.current = projectId
      touched.current = false
      // What somebody is just drawing stays where it was put.
      const isNew = workspace.document.nodes.length === 0 || (undoLabel !== undefined && !isCut(AS_PLACED))
      if (isNew) void flow.setViewport({ x: 0, y: 0, zoom: 1 })
      else fit(false)
      // Whatever was pressed to open it is gone.
      if (document.activeElement === document.body) api.focus()
    }
    const offerKinds = () => {
      const box = frame.current?.getBoundingClientRect()
      const [selected] = view.getState().selection
      const node = project.getState().workspace.document.nodes.find((one) => one.id === selected)
      view.getState().set({ overlay: null })
      if (!box) return
      if (node && node.kind !== 'sink') {
        const at = flow.flowToScreenPosition({ x: node.position.x + NODE_WIDTH + 28, y: node.position.y })
        onOffer({ at, goal: { to: 'after', node: node.id } })
        return
      }
      const middle = centre()
      const empty = project.getState().workspace.document.nodes.length === 0
      const position = { x: middle.x - NODE_WIDTH / 2, y: middle.y - NODE_HEIGHT / 2 }
      onOffer({
        at: { x: box.left + box.width / 2 - 110, y: box.top + 96 },
        goal: empty ? { to: 'free', position } : { to: 'free' },
      })
    }
    // As long as nobody moved the picture, what a panel or the drawer would hide is brought back.
    const observer = new ResizeObserver(() => {
      if (!touched.current && fitted.current !== null && isCut()) fit()
    })
    if (frame.current) observer.observe(frame.current)
    const ends = [
      () => observer.disconnect(),
      canvas.attach(api),
      project.subscribe(frameProject),
      view.subscribe((state, before) => {
        if (state.overlay === 'add' && before.overlay !== 'add') offerKinds()
        const [first] = state.selection
        if (first !== undefined && first !== before.selection[0]) api.reveal(first)
      }),
    ]
    frameProject()
    return () => {
      for (const end of ends) end()
    }
  }, [frame, flow, store, canvas, project, view, onOffer])

  /** A hand moved the picture: from now on it stays where it was put. */
  return useCallback((event: unknown) => {
    if (event !== null) touched.current = true
  }, [])
}
