import { fromHex, toHex } from '@lanescope/core'
import type { SourceNode } from '@lanescope/shared'
import { type FormEvent, useState } from 'react'
import { asciiOf, encodeKey, type KeyEncoding, spacedHex } from '../../model/byteProof.js'
import { setSampleKeys } from '../../model/commands/samples.js'
import { useProject } from '../../store/context.js'
import { Glyph } from '../../ui/Glyph.js'
import { Select } from '../../ui/Select.js'
import { useNodeEdit } from './useNodeEdit.js'

const NONE: readonly string[] = []
/** More than these are counted, not listed. */
const SHOWN = 6

const HOW: readonly { readonly value: KeyEncoding; readonly label: string }[] = [
  { value: 'json', label: 'JSON' },
  { value: 'string', label: 'text' },
  { value: 'hex', label: 'hex' },
]

/** Raw keys that the topic is known to carry: byte proofs and the generated test are made of them. */
export function SampleKeys(props: { readonly node: SourceNode }) {
  const { node } = props
  const { change } = useNodeEdit(node)
  const keys = useProject((state) => state.workspace.document.samples[node.id]?.keys ?? NONE)
  const [text, setText] = useState('')
  const [how, setHow] = useState<KeyEncoding>('json')
  const bytes = encodeKey(text, how)
  const set = (next: readonly string[]) => change('sample keys', (document) => setSampleKeys(document, node.id, next))
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (!bytes || text === '') return
    set([...new Set([...keys, toHex(bytes)])])
    setText('')
  }
  return (
    <section aria-label="Sample keys">
      <h3 className="panel-heading">
        Sample keys <span className="spring" />
        <small>as they stand on the topic</small>
      </h3>
      <ul className="sample-keys">
        {keys.slice(0, SHOWN).map((hex) => (
          <li key={hex}>
            <span className="mono">{spacedHex(fromHex(hex))}</span>
            <span className="mono ink-3">{Array.from(fromHex(hex), asciiOf).join('')}</span>
            <button
              type="button"
              className="icon-button small"
              aria-label={`Remove sample key ${hex}`}
              onClick={() => set(keys.filter((key) => key !== hex))}
            >
              <Glyph name="close" size={12} />
            </button>
          </li>
        ))}
        {keys.length > SHOWN && <li className="ink-3">and {keys.length - SHOWN} more</li>}
      </ul>
      <form className="key-calculator" onSubmit={onSubmit}>
        <input
          className="input mono"
          aria-label="New sample key"
          placeholder="a key"
          value={text}
          aria-invalid={bytes === undefined}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <Select label="Written as" value={how} options={HOW} onChange={setHow} />
        <button type="submit" className="button lined small" disabled={text === '' || bytes === undefined}>
          Add
        </button>
      </form>
    </section>
  )
}
