import { type ByteProof, byteProof, equalBytes, toHex } from '@lanescope/core'

/** The same key at another lane count. */
export function proofAt(proof: ByteProof, laneCount: number): ByteProof {
  if (proof.laneCount === laneCount) return proof
  return byteProof(proof.key, proof.recordBytes, proof.timerBytes, laneCount)
}

/** How the bytes of a key come from its text. */
export type KeyEncoding = 'string' | 'json' | 'hex'

/** Bytes of a key that someone typed; undefined when the text cannot be read so. */
export function encodeKey(text: string, encoding: KeyEncoding): Uint8Array | undefined {
  if (encoding === 'string') return new TextEncoder().encode(text)
  if (encoding === 'json') return new TextEncoder().encode(JSON.stringify(text))
  const digits = text.replace(/\s+/g, '')
  if (!/^([0-9a-f]{2})*$/i.test(digits)) return undefined
  return Uint8Array.from(digits.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
}

/** The encoding that yields one side of every proof; undefined when none of the simple ones does. */
export function encodingOf(proofs: readonly ByteProof[], side: 'recordBytes' | 'timerBytes'): KeyEncoding | undefined {
  const fits = (encoding: KeyEncoding) =>
    proofs.every((proof) => {
      const bytes = encodeKey(proof.key, encoding)
      return bytes !== undefined && equalBytes(bytes, proof[side])
    })
  return proofs.length === 0 ? undefined : (['string', 'json'] as const).find(fits)
}

/** The part of a long key that is shown: a window around the first difference. */
export interface ByteWindow {
  readonly from: number
  readonly to: number
}

/** At most `cells` cells; both rows show the same window, starting no later than the byte before the difference. */
export function byteWindow(proof: ByteProof, cells: number): ByteWindow {
  const length = Math.max(proof.recordBytes.length, proof.timerBytes.length)
  if (length <= cells) return { from: 0, to: length }
  const centre = Math.max(0, proof.firstDifference)
  const from = Math.max(0, Math.min(centre - 1, length - cells))
  return { from, to: from + cells }
}

/** "Keys k1 to k30: 26 of 30 split at 8 lanes." Names the range when the keys are one. */
export function countSplits(
  proofs: readonly ByteProof[],
  laneCount: number,
): { readonly keys: string; readonly split: number; readonly of: number } {
  const split = proofs.filter((proof) => proofAt(proof, laneCount).verdict === 'split').length
  return { keys: keyRange(proofs.map((proof) => proof.key)), split, of: proofs.length }
}

function keyRange(keys: readonly string[]): string {
  const first = keys[0]
  const last = keys.at(-1)
  if (first === undefined || last === undefined || keys.length < 3)
    return keys.length === 1 ? `Key ${first}` : 'Sample keys'
  const parts = keys.map((key) => /^(.*?)(\d+)$/.exec(key))
  const start = Number(parts[0]?.[2])
  const inRow = parts.every((part, i) => part && part[1] === parts[0]?.[1] && Number(part[2]) === start + i)
  return inRow ? `Keys ${first} to ${last}` : 'Sample keys'
}

/** Bytes as people read them: `22 6b 30 22`. */
export const spacedHex = (bytes: Uint8Array): string => toHex(bytes, ' ')

/** A byte as a character, a dot when it prints none. */
export const asciiOf = (byte: number): string => (byte > 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '·')

export const hashHex = (hash: number): string => hash.toString(16).padStart(8, '0')
