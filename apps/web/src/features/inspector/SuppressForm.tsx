import type { SuppressNode } from '@lanescope/shared'
import { changeNode } from '../../model/commands/nodes.js'
import { formatDuration, parseDuration } from '../../model/duration.js'
import { Field, TextField } from '../../ui/Field.js'
import { Select } from '../../ui/Select.js'
import { needed } from './durationChecks.js'
import { useNodeEdit } from './useNodeEdit.js'

const WAIT_MS = 60_000

/** What a suppress waits for. */
export function SuppressForm(props: { readonly node: SuppressNode }) {
  const { node } = props
  const { properties } = node
  const { change } = useNodeEdit(node)
  const put = (next: SuppressNode['properties']) =>
    change('wait', (at) =>
      changeNode(at, node.id, (one) => (one.kind === 'suppress' ? { ...one, properties: next } : one)),
    )
  return (
    <>
      <Field
        label="Until"
        hint={
          properties.until === 'window-closes'
            ? 'Each window comes out once, when it takes no more records'
            : 'A row comes out so long after its first update that was held back'
        }
      >
        {(id) => (
          <Select
            full
            id={id}
            label="Until"
            value={properties.until}
            options={[
              { value: 'window-closes', label: 'the window closes' },
              { value: 'time-limit', label: 'a time is over' },
            ]}
            onChange={(until) => put(until === 'time-limit' ? { until, waitMs: WAIT_MS } : { until })}
          />
        )}
      </Field>
      {properties.until === 'time-limit' && (
        <TextField
          label="Wait"
          value={formatDuration(properties.waitMs)}
          hint="Of event time: without new records nothing comes out"
          check={(text) => needed(text, 0)}
          onChange={(text) => put({ until: 'time-limit', waitMs: parseDuration(text) ?? 0 })}
        />
      )}
    </>
  )
}
