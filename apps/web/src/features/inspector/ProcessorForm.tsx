import type { ProcessorNode } from '@lanescope/shared'
import { pathOf } from '../../model/clipboard.js'
import { scheduledIn, withPunctuator } from '../../model/punctuator.js'
import { useProject, useStores } from '../../store/context.js'
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
      <Punctuators node={node} />
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

/** What runs by itself, now and then: the code schedules it. */
function Punctuators(props: { readonly node: ProcessorNode }) {
  const { name, properties } = props.node
  const { project, view } = useStores()
  const path = pathOf(properties.code.module)
  const text = useProject((state) => state.workspace.files[path]) ?? ''
  const count = scheduledIn(text)
  const next = withPunctuator(text, properties.code.export)
  const schedule = () => {
    if (next === undefined) return
    project
      .getState()
      .edit(`Schedule a punctuator of ${name}`, (at) => ({ ...at, files: { ...at.files, [path]: next } }))
    view.getState().openCode({ path })
  }
  return (
    <section aria-label="Punctuators">
      <h3 className="panel-heading">
        Punctuators <span className="spring" />
        <button type="button" className="button lined small" disabled={next === undefined} onClick={schedule}>
          Schedule one
        </button>
      </h3>
      <p className="ink-3">{count === 0 ? 'The code schedules none.' : `${path} schedules ${count}.`}</p>
    </section>
  )
}
