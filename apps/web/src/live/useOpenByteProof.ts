import { useCallback } from 'react'
import { useStores } from '../store/context.js'
import { PROOF_BYTES, PROOF_KEY } from '../store/shown.js'

/** Shows the affinity finding of a node with this key in its proof; without a finding, the node itself. */
export function useOpenByteProof(): (split: {
  readonly node: string
  readonly key: string
  readonly recordBytes: string
}) => void {
  const { view, findings, project } = useStores()
  return useCallback(
    ({ node, key, recordBytes }) => {
      const { analysis } = findings.getState()
      const id = analysis?.view.nodes.find((one) => one.compiledNames.includes(node) || one.name === node)?.nodeId
      const nodeId = id ?? project.getState().workspace.document.nodes.find((one) => one.name === node)?.id
      const finding = analysis?.findings.find((one) => one.nodeId === nodeId && (one.proofs?.length ?? 0) > 0)
      const state = view.getState()
      state.setParam(PROOF_KEY, key)
      state.setParam(PROOF_BYTES, recordBytes)
      if (finding) state.selectFinding(finding.id, nodeId)
      else if (nodeId !== undefined) state.selectNodes([nodeId])
    },
    [view, findings, project],
  )
}
