import { formatTopology, generateTopology, type TopologyDocument } from '@lanescope/shared'
import { useEffect, useRef, useState } from 'react'

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

/** Documents that the project had before this one, as its history knows them; absent where nothing was edited. */
export interface EarlierDocuments {
  readonly first?: TopologyDocument | undefined
  readonly before?: TopologyDocument | undefined
}

/**
 * `topology.ts` of the document, formatted as it is exported. The last text stays while the next is written.
 *
 * @param earlier asked when the first text is written: what was edited before anybody looked shows its changes too
 */
export function useGeneratedText(
  document: TopologyDocument,
  projectId: string | null,
  earlier: () => EarlierDocuments,
): GeneratedText | null {
  const [shown, setShown] = useState<{ readonly projectId: string | null; readonly value: GeneratedText } | null>(null)
  const known = useRef<string | null | undefined>(undefined)
  useEffect(() => {
    let isCurrent = true
    const write = async () => {
      const written = await formatted(document)
      const { text } = written
      const fresh = { text, stores: storesOf(written), lines: linesOf(written), before: null, first: text }
      const whole = known.current === projectId ? fresh : { ...fresh, ...(await textsOf(earlier(), text)) }
      if (!isCurrent) return
      known.current = projectId
      setShown((old) => ({ projectId, value: old?.projectId === projectId ? follow(old.value, whole) : whole }))
    }
    void write()
    return () => {
      isCurrent = false
    }
  }, [document, projectId, earlier])
  return shown?.value ?? null
}

/** Half-written type expressions do not parse; the text as it is says where. */
async function formatted(document: TopologyDocument): Promise<ReturnType<typeof generateTopology>> {
  const plain = generateTopology(document)
  return formatTopology(plain).catch(() => plain)
}

async function textsOf({ first, before }: EarlierDocuments, text: string) {
  const firstText = first === undefined ? text : (await formatted(first)).text
  const beforeText = before === undefined ? text : (await formatted(before)).text
  return { first: firstText, before: beforeText === text ? null : beforeText }
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
