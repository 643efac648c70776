import type { EngineApi } from '@lanescope/core'
import type { ConsoleLog } from './ConsoleLog.js'
import type { MainHost } from './MainHost.js'

const PROGRESS_MS = 10_000

/** A line now and then while records move. @returns what ends it */
export function printProgress(engine: EngineApi, host: MainHost, log: ConsoleLog): () => void {
  let last = ''
  let timer = host.clock.after(PROGRESS_MS, tick)
  function tick(): void {
    const line = progressOf(engine)
    if (line !== last) log.report('info', line)
    last = line
    timer = host.clock.after(PROGRESS_MS, tick)
  }
  return () => timer.cancel()
}

function progressOf(engine: EngineApi): string {
  const { nodes, epoch, clocks } = engine.snapshot()
  const sources = new Set(clocks.partitions.map(({ source }) => source))
  const read = nodes.filter(({ node }) => sources.has(node)).reduce((sum, node) => sum + node.out, 0)
  const lag = clocks.partitions.reduce((sum, partition) => sum + partition.lag, 0)
  return `${read} records read, ${lag} behind; epoch ${epoch.committed} committed`
}
