import type { CountingNode } from '@lanescope/shared'
import type { PropertiesPatch } from '../../model/commands/nodes.js'
import { formatDuration, parseDuration } from '../../model/duration.js'
import { storeNameProblem } from '../../model/names.js'
import { keptMs, sourcesOf } from '../../model/queries.js'
import { useProject } from '../../store/context.js'
import { TextField } from '../../ui/Field.js'
import { needed } from './durationChecks.js'
import { SerdeField } from './SerdeField.js'
import { durationProblem } from './SourceForm.js'
import { useNodeEdit } from './useNodeEdit.js'

/** A count: its windows, if it has any, how its keys are written, and where it keeps them. */
export function CountForm(props: { readonly node: CountingNode }) {
  const { node } = props
  const { set } = useNodeEdit(node)
  const document = useProject((state) => state.workspace.document)
  const types = sourcesOf(document, node.id)[0]?.properties
  const { properties } = node
  const change = (field: string, patch: PropertiesPatch<'count'>) => set(node.kind, field, patch as never)
  return (
    <>
      <WindowFields node={node} />
      <SerdeField
        label="Grouped key"
        none="as the stream carries it"
        value={properties.key}
        type={types?.keyType ?? 'string'}
        exportName="groupedKeySerde"
        onChange={(key) => change('grouped key', { key })}
      />
      <SerdeField
        label="Grouped value"
        none="as the stream carries it"
        hint={properties.value ? undefined : 'Written only where a new key crosses lanes'}
        value={properties.value}
        type={types?.valueType ?? 'unknown'}
        exportName="groupedValueSerde"
        onChange={(value) => change('grouped value', { value })}
      />
      <h3 className="panel-heading">Store</h3>
      <TextField
        label="Store name"
        mono
        value={properties.storeName}
        check={(name) => storeNameProblem(document, node.id, name)}
        onChange={(storeName) => change('store name', { storeName })}
      />
      {node.kind !== 'count' && <Retention node={node} />}
    </>
  )
}

/** How long its windows are, and how late a record may come. */
function WindowFields(props: { readonly node: CountingNode }) {
  const { node } = props
  const { set } = useNodeEdit(node)
  if (node.kind === 'count') return null
  const span = (label: string, hint: string, ms: number, least: number, take: (ms: number) => void) => (
    <TextField
      label={label}
      value={formatDuration(ms)}
      hint={hint}
      check={(text) => needed(text, least)}
      onChange={(text) => take(parseDuration(text) ?? least)}
    />
  )
  switch (node.kind) {
    case 'windowed-count': {
      const { sizeMs, advanceMs } = node.properties
      return (
        <>
          {span('Window', 'Each key is counted once a window', sizeMs, 1, (ms) =>
            set(node.kind, 'window', { sizeMs: ms }),
          )}
          <TextField
            label="Advance"
            value={advanceMs === undefined ? '' : formatDuration(advanceMs)}
            placeholder={`${formatDuration(sizeMs)}, no overlap`}
            hint="How far apart windows start; less than their length, and they overlap"
            check={(text) =>
              durationProblem(text) ??
              (text.trim() !== '' && ((parseDuration(text) ?? 0) < 1 || (parseDuration(text) ?? 0) > sizeMs)
                ? `More than 0, and at most the window: ${formatDuration(sizeMs)}.`
                : undefined)
            }
            onChange={(text) => set(node.kind, 'advance', { advanceMs: parseDuration(text) })}
          />
          {span('Grace', GRACE, node.properties.graceMs, 0, (graceMs) => set(node.kind, 'grace', { graceMs }))}
        </>
      )
    }
    case 'session-count':
      return (
        <>
          {span('Gap', 'A key that is quiet for longer begins a new session', node.properties.gapMs, 0, (gapMs) =>
            set(node.kind, 'gap', { gapMs }),
          )}
          {span('Grace', GRACE, node.properties.graceMs, 0, (graceMs) => set(node.kind, 'grace', { graceMs }))}
        </>
      )
    case 'sliding-count':
      return (
        <>
          {span(
            'Difference',
            'The most that two records of one window are apart',
            node.properties.differenceMs,
            1,
            (ms) => set(node.kind, 'difference', { differenceMs: ms }),
          )}
          {span('Grace', GRACE, node.properties.graceMs, 0, (graceMs) => set(node.kind, 'grace', { graceMs }))}
        </>
      )
  }
}

const GRACE = 'How late a record may come'

function Retention(props: { readonly node: Exclude<CountingNode, { kind: 'count' }> }) {
  const { node } = props
  const { set } = useNodeEdit(node)
  const { retentionMs, ...rest } = node.properties
  const least = keptMs({ ...node, properties: rest } as typeof node) ?? 0
  return (
    <TextField
      label="Retention"
      value={retentionMs === undefined ? '' : formatDuration(retentionMs)}
      placeholder={`${formatDuration(least)}, the least`}
      check={(text) =>
        durationProblem(text) ??
        (text.trim() !== '' && (parseDuration(text) ?? 0) < least
          ? `At least as long as windows and grace need: ${formatDuration(least)}.`
          : undefined)
      }
      onChange={(text) => set(node.kind, 'retention', { retentionMs: parseDuration(text) } as never)}
    />
  )
}
