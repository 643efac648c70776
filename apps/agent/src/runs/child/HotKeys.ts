import type { WireHotKey } from '@lanescope/shared'

/** Different keys that are counted for one lane between two frames; those beyond are counted together. */
const MOST_KEYS = 2_000

interface LaneCount {
  total: number
  readonly keys: Map<string, number>
}

/** Which keys took how much of each lane over the last frames that make up a second. */
export class HotKeys {
  readonly #frames: number
  readonly #perLane: number
  /** One map a frame, by sub-topology and lane, the newest last. */
  readonly #past: Map<string, LaneCount>[] = [new Map()]

  constructor(frames: number, perLane: number) {
    this.#frames = frames
    this.#perLane = perLane
  }

  count(subTopology: number, lane: number, key: string | null): void {
    const now = this.#past.at(-1)
    if (now === undefined) return
    const place = `${subTopology}/${lane}`
    let counted = now.get(place)
    if (counted === undefined) {
      counted = { total: 0, keys: new Map() }
      now.set(place, counted)
    }
    counted.total++
    if (key === null) return
    const before = counted.keys.get(key)
    if (before !== undefined) counted.keys.set(key, before + 1)
    else if (counted.keys.size < MOST_KEYS) counted.keys.set(key, 1)
  }

  /** The hottest keys of each lane, and a new frame. */
  take(): readonly WireHotKey[] {
    const lanes = this.#sum()
    this.#past.push(new Map())
    if (this.#past.length > this.#frames) this.#past.shift()
    const hot: WireHotKey[] = []
    for (const [place, { total, keys }] of lanes) {
      const [subTopology = 0, lane = 0] = place.split('/').map(Number)
      const hottest = [...keys].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, this.#perLane)
      for (const [key, count] of hottest) hot.push({ subTopology, lane, key, share: count / total })
    }
    return hot.sort((a, b) => a.subTopology - b.subTopology || a.lane - b.lane)
  }

  #sum(): Map<string, LaneCount> {
    const sum = new Map<string, LaneCount>()
    for (const frame of this.#past) {
      for (const [place, { total, keys }] of frame) {
        const lane = sum.get(place) ?? { total: 0, keys: new Map<string, number>() }
        lane.total += total
        for (const [key, count] of keys) lane.keys.set(key, (lane.keys.get(key) ?? 0) + count)
        sum.set(place, lane)
      }
    }
    return sum
  }
}
