import { formatTopology, generateTopology, type TopologyDocument } from '@lanescope/shared'
import { useEffect, useState } from 'react'

export interface GeneratedText {
  readonly text: string
  readonly lines: { readonly [nodeId: string]: { readonly from: number; readonly to: number } }
  /** The text as it was before it last changed; null while it has not. */
  readonly before: string | null
  /** The text when the project was opened. */
  readonly first: string
}

/** `topology.ts` of the document, formatted as it is exported. The last text stays while the next is written. */
export function useGeneratedText(document: TopologyDocument, projectId: string | null): GeneratedText | null {
  const [shown, setShown] = useState<{ readonly projectId: string | null; readonly value: GeneratedText } | null>(null)
  useEffect(() => {
    let isCurrent = true
    const take = (text: string, lines: GeneratedText['lines']) => {
      if (!isCurrent) return
      setShown((old) => {
        const value =
          old?.projectId === projectId ? follow(old.value, text, lines) : { text, lines, before: null, first: text }
        return value === old?.value ? old : { projectId, value }
      })
    }
    const plain = generateTopology(document)
    formatTopology(plain).then(
      (formatted) => take(formatted.text, linesOf(formatted)),
      // Half-written type expressions do not parse; the text as it is says where.
      () => take(plain.text, linesOf(plain)),
    )
    return () => {
      isCurrent = false
    }
  }, [document, projectId])
  return shown?.value ?? null
}

function follow(old: GeneratedText, text: string, lines: GeneratedText['lines']): GeneratedText {
  return { text, lines, first: old.first, before: text === old.text ? old.before : old.text }
}

function linesOf(written: ReturnType<typeof generateTopology>): GeneratedText['lines'] {
  return Object.fromEntries(
    written.nodesInOrder.flatMap((id) => {
      const lines = written.linesOf(id)
      return lines === undefined ? [] : [[id, lines] as const]
    }),
  )
}
