import type { Position } from '../model/commands/nodes.js'

/** What commands may ask of the canvas. */
export interface CanvasApi {
  fit(): void
  zoomTo(zoom: number): void
  zoomBy(factor: number): void
  /** Brings a node into view if it is not. */
  reveal(nodeId: string): void
  /** The middle of what is seen, in document coordinates. */
  centre(): Position
  /** Whether the canvas, and not a panel, holds the keyboard's focus. */
  focus(): void
}

/** The canvas comes and goes with the page; commands reach it, when it is there, through this. */
export interface CanvasPort {
  readonly current: CanvasApi | null
  attach(api: CanvasApi): () => void
}

export function createCanvasPort(): CanvasPort {
  let current: CanvasApi | null = null
  return {
    get current() {
      return current
    },
    attach: (api) => {
      current = api
      return () => {
        if (current === api) current = null
      }
    },
  }
}
