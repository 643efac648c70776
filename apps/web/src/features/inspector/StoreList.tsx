import type { DocumentStore, ProcessorNode } from '@lanescope/shared'
import { useState } from 'react'
import { addStore, attachStore, detachStore, editStore } from '../../model/commands/stores.js'
import { formatDuration, parseDuration } from '../../model/duration.js'
import { storeNameProblem } from '../../model/names.js'
import { storeById } from '../../model/queries.js'
import { useProject } from '../../store/context.js'
import { TextField } from '../../ui/Field.js'
import { Glyph } from '../../ui/Glyph.js'
import { Select } from '../../ui/Select.js'
import { durationProblem } from './durationChecks.js'
import { SerdeField } from './SerdeField.js'
import { useNodeEdit } from './useNodeEdit.js'

/** The stores of a processor: shared ones are attached, new ones made, each edited in place. */
export function StoreList(props: { readonly node: ProcessorNode }) {
  const { node } = props
  const document = useProject((state) => state.workspace.document)
  const { change } = useNodeEdit(node)
  const [open, setOpen] = useState<string | null>(null)
  const others = document.stores.filter((store) => !node.properties.stores.includes(store.id))
  const options = [
    { value: '', label: 'Add a store…' },
    { value: 'new key-value', label: 'New key-value store' },
    { value: 'new window', label: 'New window store' },
    ...others.map((store) => ({ value: `share ${store.id}`, label: `Share ${store.name}` })),
  ]
  const onAdd = (choice: string) => {
    const share = /^share (.*)$/.exec(choice)?.[1]
    if (share !== undefined) change('stores', (at) => attachStore(at, node.id, share))
    else if (choice !== '') {
      const kind = choice === 'new window' ? 'window' : 'key-value'
      const added = addStore(document, node.id, kind)
      change('stores', (at) => addStore(at, node.id, kind).document)
      setOpen(added.id)
    }
  }
  return (
    <section aria-label="Stores">
      <h3 className="panel-heading">
        Stores <span className="spring" />
        <Select label="Add a store" value="" options={options} onChange={onAdd} />
      </h3>
      {node.properties.stores.length === 0 && <p className="ink-3">It keeps nothing.</p>}
      {node.properties.stores.map((id) => {
        const store = storeById(document, id)
        if (!store) return null
        return (
          <div key={id} className="store-card">
            <div className="store-head">
              <button type="button" aria-expanded={open === id} onClick={() => setOpen(open === id ? null : id)}>
                <Glyph name="store" size={14} className={store.kind === 'window' ? 'segment' : ''} />
                <b>{store.name}</b>
                <span>{store.kind === 'window' ? 'window' : 'key-value'}</span>
              </button>
              <button
                type="button"
                className="icon-button small"
                aria-label={`Remove ${store.name} from ${node.name}`}
                onClick={() => change('stores', (at) => detachStore(at, node.id, id))}
              >
                <Glyph name="close" size={12} />
              </button>
            </div>
            {open === id && <StoreForm node={node} store={store} />}
          </div>
        )
      })}
    </section>
  )
}

function StoreForm(props: { readonly node: ProcessorNode; readonly store: DocumentStore }) {
  const { node, store } = props
  const document = useProject((state) => state.workspace.document)
  const { change } = useNodeEdit(node)
  const edit = (field: string, patch: Parameters<typeof editStore>[2]) =>
    change(`${field} of store`, (at) => editStore(at, store.id, patch))
  const ms = (value: number | undefined) => (value === undefined ? '' : formatDuration(value))
  return (
    <div className="store-form">
      <TextField
        label="Store name"
        mono
        value={store.name}
        check={(name) => storeNameProblem(document, store.id, name)}
        onChange={(name) => edit('name', { name })}
      />
      <SerdeField
        label="Key"
        value={store.key}
        type="string"
        exportName="storeKeySerde"
        onChange={(key) => key && edit('key', { key })}
      />
      <SerdeField
        label="Value"
        value={store.value}
        type="unknown"
        exportName="storeValueSerde"
        onChange={(value) => value && edit('value', { value })}
      />
      {store.kind === 'window' && (
        <>
          <TextField
            label="Window"
            value={ms(store.windowSizeMs)}
            check={durationProblem}
            onChange={(text) => edit('window', { windowSizeMs: parseDuration(text) })}
          />
          <TextField
            label="Retention"
            value={ms(store.retentionMs)}
            check={durationProblem}
            onChange={(text) => edit('retention', { retentionMs: parseDuration(text) })}
          />
        </>
      )}
    </div>
  )
}
