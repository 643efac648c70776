import { type ByteProof, toHex } from '@lanescope/core'
import { type FormEvent, useState } from 'react'
import { encodeKey, encodingOf, type KeyEncoding } from '../../model/byteProof.js'
import { useView } from '../../store/context.js'
import { PROOF_BYTES, PROOF_KEY } from '../../store/shown.js'
import { Select } from '../../ui/Select.js'

const HOW: readonly { readonly value: KeyEncoding; readonly label: string }[] = [
  { value: 'json', label: 'written as JSON' },
  { value: 'string', label: 'written as text' },
  { value: 'hex', label: 'as raw bytes' },
]

/** Proves on any key: typed as text, or pasted as the bytes that stand on the topic. */
export function KeyCalculator(props: { readonly proofs: readonly ByteProof[]; readonly onDone: () => void }) {
  const { proofs, onDone } = props
  const setParam = useView((state) => state.setParam)
  const [text, setText] = useState('')
  const [how, setHow] = useState<KeyEncoding>(encodingOf(proofs, 'recordBytes') ?? 'hex')
  const bytes = encodeKey(text, how)
  const key = bytes && how === 'hex' ? keyOfBytes(bytes, encodingOf(proofs, 'recordBytes')) : text
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (!bytes || key === undefined) return
    setParam(PROOF_BYTES, toHex(bytes))
    setParam(PROOF_KEY, key)
    onDone()
  }
  return (
    <form className="key-calculator" onSubmit={onSubmit}>
      <input
        className="input mono"
        // biome-ignore lint/a11y/noAutofocus: the person chose to type a key
        autoFocus
        aria-label="Key"
        aria-invalid={bytes === undefined}
        placeholder={how === 'hex' ? '22 6b 30 22' : 'a key'}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Select label="How the record's key is written" value={how} options={HOW} onChange={setHow} />
      <button type="submit" className="button lined small" disabled={text === '' || bytes === undefined}>
        Prove
      </button>
    </form>
  )
}

/** The key that bytes stand for, read as the samples are; undefined when they cannot be. */
function keyOfBytes(bytes: Uint8Array, encoding: KeyEncoding | undefined): string {
  const text = new TextDecoder().decode(bytes)
  if (encoding !== 'json') return text
  try {
    return String(JSON.parse(text))
  } catch (error) {
    if (error instanceof SyntaxError) return text
    throw error
  }
}
