/** A flag wants to hang from its line on one side; words decide its width. */
export interface FlagWish {
  readonly id: string
  readonly x: number
  readonly width: number
  readonly side: 'left' | 'right' | 'centre'
}

export interface PlacedFlag {
  readonly left: number
  /** 0 is the row nearest to the chart. */
  readonly row: number
}

/** Where flags stand so that none covers another (they may touch) and none leaves the chart; the first wish has the first choice. */
export function placeFlags(wishes: readonly FlagWish[], chartWidth: number): ReadonlyMap<string, PlacedFlag> {
  const placed = new Map<string, PlacedFlag>()
  const taken: { left: number; right: number; row: number }[] = []
  for (const wish of wishes) {
    const candidates = sidesOf(wish).map((left) => Math.max(0, Math.min(chartWidth - wish.width, left)))
    const free = firstFree(candidates, wish.width, taken)
    taken.push({ left: free.left, right: free.left + wish.width, row: free.row })
    placed.set(wish.id, free)
  }
  return placed
}

function sidesOf({ x, width, side }: FlagWish): readonly number[] {
  if (side === 'centre') return [x - width / 2]
  return side === 'left' ? [x - width, x] : [x, x - width]
}

function firstFree(
  candidates: readonly number[],
  width: number,
  taken: readonly { readonly left: number; readonly right: number; readonly row: number }[],
): PlacedFlag {
  for (let row = 0; row <= taken.length; row++) {
    for (const left of candidates) {
      const clash = taken.some((one) => one.row === row && left < one.right && left + width > one.left)
      if (!clash) return { left, row }
    }
  }
  return { left: candidates[0] ?? 0, row: taken.length }
}
