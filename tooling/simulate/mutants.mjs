/*
 * Faults to plant in the engine, one at a time, so that the simulator can show that it notices them:
 * npm run simulate -- --mutants --seeds 300
 *
 * `find` stands in the file exactly once; a mutant whose text has gone is an error, not a pass.
 */

const runtime = 'packages/core/src/runtime'

export const mutants = [
  {
    name: 'hashes the timer key by another serde',
    file: `${runtime}/guards/AffinityCheck.ts`,
    find: 'return laneOf(serde?.laneBytes ? serde.laneBytes(bytes) : bytes, this.settings.laneCount)',
    replace: 'return laneOf(Uint8Array.of(34, ...bytes, 34), this.settings.laneCount)',
  },
  {
    name: 'starts a boundary item before an earlier one',
    file: `${runtime}/scheduling/SubTopologyRuntime.ts`,
    find: 'return this.fromBoundary.shift()\n',
    replace:
      'if (this.fromBoundary.length > 1) this.fromBoundary.push(this.fromBoundary.shift())\n    return this.fromBoundary.shift()\n',
  },
  {
    name: 'skips the due timers before a record',
    file: `${runtime}/scheduling/Lane.ts`,
    find: 'if (subTopology.timerNodes.length > 0) {',
    replace: 'if (subTopology.timerNodes.length > 0 && queue.length === 0) {',
  },
  {
    name: 'drops an output when several are committed at once',
    file: `${runtime}/epoch/EpochBuffer.ts`,
    find: 'outputs: this.#outputs,',
    replace: 'outputs: this.#outputs.length > 2 ? this.#outputs.slice(1) : this.#outputs,',
  },
  {
    name: 'takes the next item before the promise settles',
    file: `${runtime}/scheduling/Lane.ts`,
    find: 'this.current = item\n',
    replace: 'queueMicrotask(() => this.makeReady())\n',
  },
  {
    name: 'fires a timer a millisecond early',
    file: 'packages/core/src/timers/TimerQueue.ts',
    find: 'if (top === undefined || top.at > clock) return undefined',
    replace: 'if (top === undefined || top.at > clock + 1) return undefined',
    also: [
      {
        file: `${runtime}/firing/TimerDesk.ts`,
        find: 'if (timer === undefined || timer.at > this.#clockOf(candidate, of)) continue',
        replace: 'if (timer === undefined || timer.at > this.#clockOf(candidate, of) + 1) continue',
      },
    ],
  },
  {
    name: 'fires a timer that was deleted',
    file: 'packages/core/src/timers/TimerQueue.ts',
    find: 'this.#live.delete(id)\n    entry.gone = true\n',
    replace: 'this.#live.delete(id)\n',
  },
  {
    name: 'fires timers of one time by key bytes downwards',
    file: 'packages/core/src/timers/TimerQueue.ts',
    find: 'if (byKey !== 0) return byKey',
    replace: 'if (byKey !== 0) return -byKey',
  },
  {
    name: 'commits a position past what is not done',
    file: `${runtime}/epoch/PartitionProgress.ts`,
    find: 'const offset = this.#lowest ?? this.#read',
    replace: 'const offset = this.#read',
  },
  {
    name: 'forgets at a restart what was done above the position',
    file: `${runtime}/epoch/PartitionProgress.ts`,
    find: 'this.#done = new Set(start.done)',
    replace: 'this.#done = new Set()',
  },
  {
    name: 'cuts without draining the boundaries',
    file: `${runtime}/TopologyRunner.ts`,
    find: 'for (const queue of sub.queues) if (queue.fromBoundary.length > 0) return false',
    replace: 'for (const queue of sub.queues) if (queue.fromBoundary.length > 9) return false',
  },
  {
    name: 'cuts while callbacks are in flight',
    file: `${runtime}/TopologyRunner.ts`,
    find: 'for (const lane of this.lanes) if (lane.busy) return false',
    replace: 'void this.lanes',
  },
  {
    name: 'never wakes the lanes upstream of a queue that has drained',
    file: `${runtime}/scheduling/SubTopologyRuntime.ts`,
    find: 'if (this.overCapacity === 0) for (const feeder of this.upstream) for (const lane of feeder.lanes) lane.makeReady()',
    replace: '',
  },
]

/** A plugin of vite that plants one mutant. Tells afterwards which of its texts were not found. */
export function plant({ file, find, replace, also = [] }) {
  const edits = [{ file, find, replace }, ...also]
  const done = new Set()
  return {
    missed: () => edits.filter((edit) => !done.has(edit)).map((edit) => `${edit.file}: ${edit.find}`),
    plugin: {
      name: 'plant',
      enforce: 'pre',
      transform(code, id) {
        let text = code
        for (const edit of edits) {
          if (!id.endsWith(edit.file) || text.split(edit.find).length !== 2) continue
          text = text.replace(edit.find, () => edit.replace)
          done.add(edit)
        }
        return text === code ? undefined : { code: text, map: null }
      },
    },
  }
}
