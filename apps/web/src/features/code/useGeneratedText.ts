import { formatTopology, generateTopology, type TopologyDocument } from '@lanescope/shared'
import { useEffect, useState } from 'react'

export interface GeneratedText {
  readonly text: string
  /** `stores.ts`; empty while there are none. */
  readonly stores: string
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
    const take = (written: ReturnType<typeof generateTopology>) => {
      if (!isCurrent) return
      const { text } = written
      const fresh = { text, stores: storesOf(written), lines: linesOf(written), before: null, first: text }
      setShown((old) => ({ projectId, value: old?.projectId === projectId ? follow(old.value, fresh) : fresh }))
    }
    const plain = generateTopology(document)
    // Half-written type expressions do not parse; the text as it is says where.
    formatTopology(plain).then(take, () => take(plain))
    return () => {
      isCurrent = false
    }
  }, [document, projectId])
  return shown?.value ?? null
}

function follow(old: GeneratedText, fresh: GeneratedText): GeneratedText {
  return { ...fresh, first: old.first, before: fresh.text === old.text ? old.before : old.text }
}

function storesOf(written: ReturnType<typeof generateTopology>): string {
  return written.files.find(({ path }) => path === 'src/stores.ts')?.text ?? ''
}

function linesOf(written: ReturnType<typeof generateTopology>): GeneratedText['lines'] {
  return Object.fromEntries(
    written.nodesInOrder.flatMap((id) => {
      const lines = written.linesOf(id)
      return lines === undefined ? [] : [[id, lines] as const]
    }),
  )
}
