import type { Clock } from '@lanescope/core'

/**
 * For work in pieces: what it returns is called often, and gives others their turn once a piece has taken so long (L12).
 *
 * @param onTurn is called after each such turn
 */
export function pausing(clock: Clock, pieceMs: number, onTurn: () => void = () => {}): () => Promise<void> {
  let started = clock.monotonic()
  return async () => {
    if (clock.monotonic() - started < pieceMs) return
    await clock.yield()
    started = clock.monotonic()
    onTurn()
  }
}
