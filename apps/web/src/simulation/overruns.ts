import {
  type AnalysisInput,
  type AnalysisPhase,
  type AnalysisResult,
  EMPTY_VIEW,
  type Overrun,
} from '@lanescope/shared'

/** Says which code did not come back. */
export function overrunMessage(phase: AnalysisPhase | undefined, ms: number): string {
  switch (phase?.step) {
    case 'evaluate':
      return `src/${phase.file} did not finish loading within ${ms} ms. Look for a loop at its top level.`
    case 'samples':
      return `The code that reads ${phase.place} did not come back within ${ms} ms on the sample keys. The samples are left out.`
    default:
      return `The topology could not be built within ${ms} ms. Look for a loop in the code of a serde.`
  }
}

/** Whether code that ran too long with one input is still the same in another. */
export function stillHolds({ phase }: Overrun, before: AnalysisInput, now: AnalysisInput): boolean {
  if (phase.step === 'evaluate') return before.files[phase.file] === now.files[phase.file]
  // A serde may reach any file, and the samples are the document's.
  return before.files === now.files && (phase.step !== 'samples' || sameSource(phase.nodeId, before, now))
}

function sameSource(nodeId: string, before: AnalysisInput, now: AnalysisInput): boolean {
  const find = ({ document }: AnalysisInput) => document.nodes.find(({ id }) => id === nodeId)
  return find(before) === find(now) && before.document.samples[nodeId] === now.document.samples[nodeId]
}

/** What is shown when there is no analysis at all. */
export function failedResult(message: string): AnalysisResult {
  return {
    ok: false,
    findings: [],
    suppressed: [],
    view: EMPTY_VIEW,
    problems: [{ id: 'analysis', severity: 'error', message }],
    leftOut: [],
    nodeLines: {},
    durationMs: 0,
  }
}
