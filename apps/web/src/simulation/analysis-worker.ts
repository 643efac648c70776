// The worker that analyses the drawing. It runs code of the user's, so it is served with a policy of its own:
// no connection, no script but its own origin's and its own blobs.
import * as core from '@lanescope/core'
import { Analyser, loadTypeScript, providePackages } from '@lanescope/shared'
import type { AnalysisCall, AnalysisNote } from './analysisMessages.js'

const scope = self as unknown as DedicatedWorkerGlobalScope
const post = (note: AnalysisNote) => scope.postMessage(note)
const packages = new Map<string, object>([['@lanescope/core', core]])
const clock = new core.SystemClock()
/** The analysis that runs; the client sends the next when it has this one's result. */
const running = { seq: 0 }

providePackages(scope, packages)

const analyser = new Analyser({
  packages,
  createUrl: (code) => URL.createObjectURL(new Blob([code], { type: 'text/javascript' })),
  revokeUrl: (url) => URL.revokeObjectURL(url),
  importUrl: (url) => import(/* @vite-ignore */ url),
  now: () => clock.monotonic(),
  onPhase: (phase) => post({ type: 'phase', seq: running.seq, phase }),
})

scope.onmessage = async (event: MessageEvent<AnalysisCall>) => {
  const { seq, input } = event.data
  running.seq = seq
  try {
    post({ type: 'result', seq, result: await analyser.analyse(input) })
  } catch (error) {
    post({ type: 'failed', seq, message: error instanceof Error ? error.message : String(error) })
  }
}

await loadTypeScript()
post({ type: 'ready' })
