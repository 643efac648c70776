import type { WindowedCountNode } from '@lanescope/shared'
import { formatDuration, parseDuration } from '../../model/duration.js'
import { storeNameProblem } from '../../model/names.js'
import { sourcesOf } from '../../model/queries.js'
import { useProject } from '../../store/context.js'
import { TextField } from '../../ui/Field.js'
import { SerdeField } from './SerdeField.js'
import { durationProblem } from './SourceForm.js'
import { useNodeEdit } from './useNodeEdit.js'

const needed = (text: string, least: number): string | undefined => {
  const ms = parseDuration(text)
  if (ms === undefined) return 'A duration is a number and a unit: 500 ms, 5 min, 30 d.'
  return ms < least ? 'A window lasts at least 1 ms.' : undefined
}

/** A windowed count: how long its windows are, how long it waits, how long it keeps. */
export function CountForm(props: { readonly node: WindowedCountNode }) {
  const { node } = props
  const { properties } = node
  const { set } = useNodeEdit(node)
  const document = useProject((state) => state.workspace.document)
  const keyType = sourcesOf(document, node.id)[0]?.properties.keyType ?? 'string'
  const kept = properties.sizeMs + properties.graceMs
  return (
    <>
      <TextField
        label="Window"
        value={formatDuration(properties.sizeMs)}
        hint="Each key is counted once a window"
        check={(text) => needed(text, 1)}
        onChange={(text) => set('windowed-count', 'window', { sizeMs: parseDuration(text) ?? 1 })}
      />
      <TextField
        label="Grace"
        value={formatDuration(properties.graceMs)}
        hint="How late a record may come"
        check={(text) => needed(text, 0)}
        onChange={(text) => set('windowed-count', 'grace', { graceMs: parseDuration(text) ?? 0 })}
      />
      <SerdeField
        label="Grouped key"
        none="as the source declares"
        value={properties.key}
        type={keyType}
        exportName="groupedKeySerde"
        onChange={(key) => set('windowed-count', 'grouped key', { key })}
      />
      <h3 className="panel-heading">Store</h3>
      <TextField
        label="Store name"
        mono
        value={properties.storeName}
        check={(name) => storeNameProblem(document, node.id, name)}
        onChange={(storeName) => set('windowed-count', 'store name', { storeName })}
      />
      <TextField
        label="Retention"
        value={properties.retentionMs === undefined ? '' : formatDuration(properties.retentionMs)}
        placeholder={`${formatDuration(kept)}, window and grace`}
        check={(text) =>
          durationProblem(text) ??
          (text.trim() !== '' && (parseDuration(text) ?? 0) < kept
            ? `At least window and grace: ${formatDuration(kept)}.`
            : undefined)
        }
        onChange={(text) => set('windowed-count', 'retention', { retentionMs: parseDuration(text) })}
      />
    </>
  )
}
