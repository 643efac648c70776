import type { ProcessorNode } from '@lanescope/shared'
import { Field } from '../../ui/Field.js'
import { CodeRefInputs } from './CodeRefInputs.js'
import { StoreList } from './StoreList.js'
import { useNodeEdit } from './useNodeEdit.js'

type Domain = ProcessorNode['properties']['timers'][number]

const DOMAINS: readonly (readonly [Domain, string, string])[] = [
  ['event-time', 'Event-time timers', 'due by the records’ clock'],
  ['processing-time', 'Processing-time timers', 'due by the wall clock'],
]

/** A processor: its class, its timers, what it promises, its stores. */
export function ProcessorForm(props: { readonly node: ProcessorNode }) {
  const { node } = props
  const { properties } = node
  const { set } = useNodeEdit(node)
  const toggle = (domain: Domain, on: boolean) =>
    set('processor', 'timers', {
      timers: DOMAINS.map(([one]) => one).filter((one) => (one === domain ? on : properties.timers.includes(one))),
    })
  return (
    <>
      <Field label="Code">
        {() => (
          <CodeRefInputs label="Code" value={properties.code} onChange={(code) => set('processor', 'code', { code })} />
        )}
      </Field>
      <h3 className="panel-heading">Timers</h3>
      {DOMAINS.map(([domain, label, hint]) => (
        <label key={domain} className="check-row">
          <input
            type="checkbox"
            checked={properties.timers.includes(domain)}
            onChange={(event) => toggle(domain, event.currentTarget.checked)}
          />
          {label} <small>{hint}</small>
        </label>
      ))}
      <h3 className="panel-heading">Promises</h3>
      <label className="check-row">
        <input
          type="checkbox"
          checked={properties.sameKey ?? false}
          onChange={(event) => set('processor', 'same key', { sameKey: event.currentTarget.checked || undefined })}
        />
        Keeps the key <small>records stay on their lane</small>
      </label>
      <label className="check-row">
        <input
          type="checkbox"
          checked={properties.sync ?? false}
          onChange={(event) => set('processor', 'sync', { sync: event.currentTarget.checked || undefined })}
        />
        Never waits <small>returns no promise</small>
      </label>
      <StoreList node={node} />
    </>
  )
}
