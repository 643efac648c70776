/*
 * Faults to plant in the engine, one at a time, so that the simulator can show that it notices them:
 * npm run simulate -- --mutants --seeds 300
 *
 * `stateful` is what may interrupt the cases that are to find it, when it is not what was asked for.
 * `find` stands in the file exactly once; a mutant whose text has gone is an error, not a pass.
 */

const runtime = 'packages/core/src/runtime'
const timers = 'packages/core/src/timers'

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
    find: 'return this.#first(boundaryOnly)?.shift()',
    replace:
      'if (this.fromBoundary.length > 1) this.fromBoundary.push(this.fromBoundary.shift())\n    return this.#first(boundaryOnly)?.shift()',
  },
  {
    name: 'skips the due timers before a record',
    file: `${runtime}/scheduling/Lane.ts`,
    find: 'if (subTopology.timerNodes.length > 0) {',
    replace: 'if (subTopology.timerNodes.length > 0 && queue.length === 0) {',
  },
  {
    name: 'drops an output when several are committed at once',
    file: `${runtime}/epoch/PackedOutputs.ts`,
    find: 'const keyLength = this.#facts[at + 3] as number',
    replace:
      'if (this.#length > 2 && index === this.#length - 1) return\n      const keyLength = this.#facts[at + 3] as number',
  },
  {
    name: 'runs a record past the queue of a lane that waits for a promise',
    file: `${runtime}/scheduling/Lane.ts`,
    find: 'this.held || this.current !== undefined) return false',
    replace: 'this.held) return false',
  },
  {
    name: 'takes the next item before the promise settles',
    file: `${runtime}/scheduling/Lane.ts`,
    find: 'this.current = item\n',
    replace: 'queueMicrotask(() => this.makeReady())\n',
  },
  {
    name: 'fires a timer a millisecond early',
    file: `${timers}/StoredLaneTimers.ts`,
    find: 'if (next === NO_ROW || rows.at(next) > clock) return undefined',
    replace: 'if (next === NO_ROW || rows.at(next) > clock + 1) return undefined',
    also: [
      {
        file: `${runtime}/firing/TimerDesk.ts`,
        find: 'if (next > at || next > this.#clockOf(candidate, of)) continue',
        replace: 'if (next > at || next > this.#clockOf(candidate, of) + 1) continue',
      },
    ],
  },
  {
    name: 'fires a timer that was deleted',
    file: `${timers}/StoredLaneTimers.ts`,
    find: '    heap.drop(known)\n    this.#end(known)\n    return timer\n',
    replace: '    return timer\n',
  },
  {
    name: 'fires timers of one time by key bytes downwards',
    file: `${timers}/TimerForm.ts`,
    find: 'if (difference !== 0) return difference',
    replace: 'if (difference !== 0) return -difference',
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
    file: `${runtime}/epoch/EpochCut.ts`,
    find: 'for (const queue of sub.queues) if (queue.fromBoundary.length > 0) return false',
    replace: 'for (const queue of sub.queues) if (queue.fromBoundary.length > 9) return false',
  },
  {
    name: 'cuts while callbacks are in flight',
    file: `${runtime}/epoch/EpochCut.ts`,
    find: 'for (const lane of this.host.lanes) if (lane.busy) return false',
    replace: 'void this.host.lanes',
  },
  {
    name: 'never wakes the lanes upstream of a queue that has drained',
    file: `${runtime}/scheduling/SubTopologyRuntime.ts`,
    find: 'if (this.overCapacity === 0) for (const feeder of this.upstream) for (const lane of feeder.lanes) lane.makeReady()',
    replace: '',
  },
  {
    name: 'reads on in the overlay of an aborted epoch',
    file: 'packages/core/src/state/epoch/EpochByteStore.ts',
    find: '    for (const layer of this.#layers) this.#forget(layer)\n    this.#layers = []\n',
    replace: '',
    also: [
      {
        file: `${runtime}/life/Incarnation.ts`,
        find: 'this.#opened = new EpochState(',
        replace: 'this.#opened = inDoubt?.state ?? new EpochState(',
      },
    ],
  },
  {
    name: 'keeps the writes of a refused epoch',
    file: `${runtime}/life/EpochRecords.ts`,
    find: 'if (counts && isAsBefore) await inDoubt',
    replace: 'await inDoubt',
  },
  {
    name: 'forgets the clocks at a restart',
    file: `${runtime}/life/EpochRecords.ts`,
    find: 'isSame(last.positions, assignment) ? last.clocks : undefined',
    replace: 'undefined',
    also: [{ file: `${runtime}/life/EpochRecords.ts`, find: 'return last !== undefined && ', replace: 'return ' }],
  },
  {
    name: 'restores no timers',
    file: `${runtime}/assembly/attachStoredTimers.ts`,
    find: '  const affinity = node.affinity as AffinityCheck\n',
    replace:
      "  const affinity = node.affinity as AffinityCheck\n  runner.options.byteStores.store('timers/' + node.name).clear()\n",
  },
  {
    name: 'asks no epoch record after a lost answer, and takes the epoch for aborted',
    file: `${runtime}/life/EpochRecords.ts`,
    find: ': last !== undefined && last.epoch >= inDoubt.epoch',
    replace: ': false',
  },
  {
    name: 'commits state before the log’s commit is known',
    file: `${runtime}/life/EpochCommits.ts`,
    find: 'this.underWay = session\n      .commit({ epoch, outputs, positions })',
    replace:
      'this.underWay = state\n      .commit(epoch)\n      .then(() => session.commit({ epoch, outputs, positions }))',
    also: [
      {
        file: `${runtime}/life/EpochCommits.ts`,
        find: '      .then(() => state.commit(epoch, marks, changes))\n',
        replace: '',
      },
    ],
  },
  {
    name: 'lets a callback of an ended incarnation write',
    file: `${runtime}/nodes/CallContext.ts`,
    find: 'if (this.instance.host.halted) throw this.instance.host.stale(this.node, this.instance.lane.index)',
    replace: '',
  },
  {
    name: 'goes on over state that has missed an epoch',
    file: `${runtime}/changelog/Changelogs.ts`,
    find: 'if (mark?.epoch === lastEpoch) continue',
    replace: 'if (mark !== undefined) continue',
    stateful: 'crashes',
  },
  {
    name: 'starts callbacks of the next epoch before the cut is taken',
    file: `${runtime}/life/Incarnation.ts`,
    find: 'const taken = await runner.cut()\n',
    replace: 'const taken = await runner.cut()\n    runner.resume()\n',
  },
  {
    name: 'judges lateness by the clock as it is, not as it was when the record was read',
    file: `${runtime}/nodes/RunningNodeHost.ts`,
    find: 'const stamped = item.stamp.values[node.clockGroup] as number',
    replace: 'const stamped = this.clocks.sourceClock(node.clockGroup)',
  },
  {
    name: 'lets a put of another lane make unreadable what was read in time',
    file: 'packages/core/src/state/SegmentedState.ts',
    find: 'return heldClock === undefined ? this.#observed : Math.min(this.#observed, heldClock())',
    replace: 'return this.#observed',
  },
  {
    name: 'counts drops at once, and again when their epoch is done again',
    file: `${runtime}/TopologyRunner.ts`,
    find: 'if (this.options.driver) this.counters.add(counter)\n    else this.epoch.count(counter)',
    replace: 'this.counters.add(counter)',
  },
  {
    name: 'hands out no ticks again after an abort',
    file: 'packages/core/src/topology/schedule/ScheduleState.ts',
    find: 'this.#again = [...this.#open, ...this.#again]',
    replace: 'this.#again = []',
  },
  {
    name: 'forgets over the death of the process where schedules stand',
    file: `${runtime}/ticks/Schedules.ts`,
    find: 'return Object.fromEntries([...this.#states].map(([source, state]) => [source, state.position]))',
    replace: 'return {}',
    stateful: 'crashes',
  },
  {
    name: 'calls a schedule of a whole node while its other lanes work',
    file: `${runtime}/firing/PunctuationDesk.ts`,
    find: 'return due.wholeNode && sub.lanes.length > 1 ? this.#gather(due, lane, sub) : this.#item(due)',
    replace: 'return this.#item(due)',
  },
  {
    name: 'calls a schedule before its time',
    file: `${runtime}/firing/Punctuation.ts`,
    find: 'const next = now - ((now - start) % intervalMs) + intervalMs',
    replace: 'const next = now + 1',
  },
  {
    name: 'forgets a schedule that was due in a cut',
    file: `${runtime}/TopologyRunner.ts`,
    find: 'for (const lane of this.lanes) lane.makeReady()\n    this.punctuations.wakeDue()',
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
