import { compareBytes, toHex } from '@lanescope/core'

/** A timer as the model holds it. */
export interface ModelTimer {
  readonly node: string
  readonly domain: string
  readonly key: string
  readonly at: number
  readonly name: string | undefined
}

const encoder = new TextEncoder()

/** What timers ought to be pending, told from the calls that user code made: the last call wins (T2, T6, T7). */
export class TimerModel {
  readonly #live: Map<string, ModelTimer>

  constructor(live: Iterable<readonly [string, ModelTimer]> = []) {
    this.#live = new Map(live)
  }

  copy(): TimerModel {
    return new TimerModel(this.#live)
  }

  register(timer: ModelTimer): void {
    this.#live.set(identity(timer), timer)
  }

  delete(timer: ModelTimer): void {
    this.#live.delete(identity(timer))
  }

  /** Takes the timer out. @returns whether it was pending for just this time */
  fire(timer: ModelTimer): boolean {
    const id = identity(timer)
    const live = this.#live.get(id)
    if (live?.at !== timer.at) return false
    this.#live.delete(id)
    return true
  }

  pending(node: string): readonly ModelTimer[] {
    return [...this.#live.values()].filter((timer) => timer.node === node)
  }
}

/** Firing order (T5): time, then key bytes, then name, an unnamed one first. */
export function compareModelTimers(a: ModelTimer, b: ModelTimer): number {
  if (a.at !== b.at) return a.at - b.at
  const byKey = compareBytes(encoder.encode(a.key), encoder.encode(b.key))
  if (byKey !== 0) return byKey
  return (a.name ?? '') < (b.name ?? '') ? -1 : (a.name ?? '') > (b.name ?? '') ? 1 : 0
}

function identity({ node, domain, key, at, name }: ModelTimer): string {
  const bytes = toHex(encoder.encode(key))
  return name === undefined ? `${node} ${domain} ${bytes} @${at}` : `${node} ${domain} ${bytes} #${name}`
}
