import { createContext, useContext } from 'react'

/** A wire in someone's hand: where it began, and what each node would say to it. */
export interface Wire {
  readonly start: string
  readonly direction: 'forward' | 'backward'
  /** Node id → the refusal; null where it may end. */
  readonly targets: ReadonlyMap<string, string | null>
}

const WireContext = createContext<Wire | null>(null)
export const WireProvider = WireContext

/** What the wire in hand means for a node. */
export function useWireVerdict(nodeId: string): 'none' | 'start' | 'valid' | { readonly refusal: string } {
  const wire = useContext(WireContext)
  if (!wire) return 'none'
  if (wire.start === nodeId) return 'start'
  const refusal = wire.targets.get(nodeId)
  return refusal === null || refusal === undefined ? 'valid' : { refusal }
}
