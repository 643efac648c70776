import { useEffect, useState } from 'react'

/** A text as it is typed over a value of the document. */
export interface Draft {
  readonly text: string
  /** Why what is typed cannot be taken; it stays as typed meanwhile. */
  readonly refused: string | undefined
  type(next: string): void
  /** Back to the value. */
  drop(): void
  /** What cannot be taken stays with its reason: without a word it would seem to be taken. */
  leave(): void
}

/** What is typed is kept while it cannot be taken, until it is dropped or another value comes; the rest is taken at once. */
export function useDraft(
  value: string,
  check: ((text: string) => string | undefined) | undefined,
  onTake: (text: string) => void,
): Draft {
  const [text, setText] = useState(value)
  const [refused, setRefused] = useState<string | undefined>(undefined)
  useEffect(() => {
    setText(value)
    setRefused(undefined)
  }, [value])
  return {
    text,
    refused,
    type: (next) => {
      setText(next)
      const problem = check?.(next)
      setRefused(problem)
      if (problem === undefined) onTake(next)
    },
    drop: () => {
      setText(value)
      setRefused(undefined)
    },
    leave: () => {
      if (refused === undefined) setText(value)
    },
  }
}
