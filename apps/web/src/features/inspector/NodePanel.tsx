import { type DocumentNode, isAggregating } from '@lanescope/shared'
import { renameNode, setNote } from '../../model/commands/nodes.js'
import { nodeNameProblem } from '../../model/names.js'
import { kindFacts, longLabel, paletteKindOf, toneOf } from '../../model/nodeKinds.js'
import { nodeById } from '../../model/queries.js'
import { useProject, useView } from '../../store/context.js'
import { Field, TextField } from '../../ui/Field.js'
import { PanelHead } from '../../ui/PanelHead.js'
import { AggregateForm } from './AggregateForm.js'
import { BranchForm } from './BranchForm.js'
import { CogroupForm } from './CogroupForm.js'
import { JoinForm } from './JoinForm.js'
import { NodeFindings } from './NodeFindings.js'
import { ProcessorForm } from './ProcessorForm.js'
import { RepartitionForm } from './RepartitionForm.js'
import { SinkForm } from './SinkForm.js'
import { SourceForm } from './SourceForm.js'
import { SuppressForm } from './SuppressForm.js'
import { ToTableForm } from './ToTableForm.js'
import { TransformForm } from './TransformForm.js'
import { useNodeEdit } from './useNodeEdit.js'
import './inspector.css'

/** The selected node's form. */
export function NodePanel() {
  const id = useView((state) => state.selection[0])
  const count = useView((state) => state.selection.length)
  const node = useProject((state) => (id === undefined ? undefined : nodeById(state.workspace.document, id)))
  const set = useView((state) => state.set)
  if (!node) return null
  const facts = kindFacts(paletteKindOf(node))
  return (
    <section className="panel" aria-label={`Node ${node.name}`}>
      <PanelHead
        title={node.name}
        note={count > 1 ? `and ${count - 1} more` : longLabel(facts).toLowerCase()}
        glyph={facts.glyph}
        glyphClass={toneOf(node) ?? 'ink-3'}
        onClose={() => set({ panel: null, selection: [] })}
      />
      <div className="panel-body inspector" key={node.id}>
        <NodeFindings nodeId={node.id} />
        <NameField node={node} />
        {node.kind === 'source' && <SourceForm node={node} />}
        {node.kind === 'processor' && <ProcessorForm node={node} />}
        {node.kind === 'transform' && <TransformForm node={node} />}
        {node.kind === 'branch' && <BranchForm node={node} />}
        {node.kind === 'repartition' && <RepartitionForm node={node} />}
        {node.kind === 'to-table' && <ToTableForm node={node} />}
        {isAggregating(node) && <AggregateForm node={node} />}
        {node.kind === 'cogroup' && <CogroupForm node={node} />}
        {node.kind === 'suppress' && <SuppressForm node={node} />}
        {node.kind === 'join' && <JoinForm node={node} />}
        {(node.kind === 'sink' || node.kind === 'through') && <SinkForm node={node} />}
        <NoteField node={node} />
      </div>
    </section>
  )
}

function NameField(props: { readonly node: DocumentNode }) {
  const { node } = props
  const document = useProject((state) => state.workspace.document)
  const { change } = useNodeEdit(node)
  return (
    <TextField
      label="Name"
      value={node.name}
      check={(name) => nodeNameProblem(document, node.id, name)}
      onChange={(name) => change('name', (at) => renameNode(at, node.id, name))}
    />
  )
}

function NoteField(props: { readonly node: DocumentNode }) {
  const { node } = props
  const { change } = useNodeEdit(node)
  return (
    <section aria-label="Note" className="note-section">
      <Field label="Note">
        {(id) => (
          <textarea
            id={id}
            className="input"
            rows={2}
            placeholder="For whoever reads this next"
            value={node.note ?? ''}
            onChange={(event) => {
              const text = event.currentTarget.value
              change('note', (at) => setNote(at, node.id, text))
            }}
          />
        )}
      </Field>
    </section>
  )
}
