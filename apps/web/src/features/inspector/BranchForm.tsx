import { type BranchNode, branchNames, branchOf } from '@lanescope/shared'
import {
  addBranch,
  branchNameProblem,
  moveBranch,
  removeBranch,
  renameBranch,
  setBranchCode,
  setDefaultBranch,
} from '../../model/commands/branches.js'
import { editEdge } from '../../model/commands/edges.js'
import { nodeById } from '../../model/queries.js'
import { useProject } from '../../store/context.js'
import { Field, TextField } from '../../ui/Field.js'
import { Glyph } from '../../ui/Glyph.js'
import { Select } from '../../ui/Select.js'
import { FunctionField } from './FunctionField.js'
import { useNodeEdit } from './useNodeEdit.js'

/** The branches of a split in the order in which they are asked, what takes the rest, and which edge takes which. */
export function BranchForm(props: { readonly node: BranchNode }) {
  const { node } = props
  const { branches } = node.properties
  const { change } = useNodeEdit(node)
  return (
    <>
      <section aria-label="Branches">
        <h3 className="panel-heading">
          Branches <span className="spring" />
          <small className="ink-3">the first that holds takes the record</small>
        </h3>
        {branches.map((_, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a branch is its place in the order; its name is being typed
          <Branch key={at} node={node} at={at} />
        ))}
        <button
          type="button"
          className="button lined small"
          onClick={() => change('branches', (document) => addBranch(document, node.id))}
        >
          <Glyph name="plus" size={12} />
          Add a branch
        </button>
      </section>
      <DefaultBranch node={node} />
      <Takers node={node} />
    </>
  )
}

function Branch(props: { readonly node: BranchNode; readonly at: number }) {
  const { node, at } = props
  const { branches } = node.properties
  const branch = branches[at]
  const { change } = useNodeEdit(node)
  if (branch === undefined) return null
  const move = (to: number) => change('order of branches', (document) => moveBranch(document, node.id, at, to))
  return (
    <fieldset className="part-card">
      <legend>{branch.name}</legend>
      <div className="part-acts">
        <IconAct label={`Ask ${branch.name} earlier`} glyph="up" disabled={at === 0} onClick={() => move(at - 1)} />
        <IconAct
          label={`Ask ${branch.name} later`}
          glyph="down"
          disabled={at === branches.length - 1}
          onClick={() => move(at + 1)}
        />
        <IconAct
          label={`Remove the branch ${branch.name}`}
          glyph="close"
          onClick={() => change('branches', (document) => removeBranch(document, node.id, at))}
        />
      </div>
      <TextField
        label="Name"
        mono
        value={branch.name}
        check={(name) => branchNameProblem(node, at, name)}
        onChange={(name) => change(`name of branch ${at}`, (document) => renameBranch(document, node.id, at, name))}
      />
      <FunctionField
        compact
        label="Predicate"
        hint="(key, value) → whether the record goes here"
        value={branch.code}
        onChange={(code) =>
          change(`predicate of branch ${at}`, (document) => setBranchCode(document, node.id, at, code))
        }
      />
    </fieldset>
  )
}

function IconAct(props: {
  readonly label: string
  readonly glyph: 'up' | 'down' | 'close'
  readonly disabled?: boolean
  readonly onClick: () => void
}) {
  return (
    <button
      type="button"
      className="icon-button small"
      aria-label={props.label}
      title={props.label}
      disabled={props.disabled}
      onClick={props.onClick}
    >
      <Glyph name={props.glyph} size={12} />
    </button>
  )
}

function DefaultBranch(props: { readonly node: BranchNode }) {
  const { node } = props
  const { defaultBranch } = node.properties
  const { change } = useNodeEdit(node)
  const put = (name: string | undefined) =>
    change('default branch', (document) => setDefaultBranch(document, node.id, name))
  return (
    <section aria-label="Default branch">
      <h3 className="panel-heading">What no branch takes</h3>
      <label className="check-row">
        <input
          type="checkbox"
          checked={defaultBranch !== undefined}
          onChange={(event) => put(event.currentTarget.checked ? 'rest' : undefined)}
        />
        Has a default branch <small>else it goes nowhere</small>
      </label>
      {defaultBranch !== undefined && (
        <TextField
          label="Name"
          mono
          value={defaultBranch}
          check={(name) => branchNameProblem(node, node.properties.branches.length, name)}
          onChange={put}
        />
      )}
    </section>
  )
}

/** Which branch each edge takes. */
function Takers(props: { readonly node: BranchNode }) {
  const { node } = props
  const { change } = useNodeEdit(node)
  const document = useProject((state) => state.workspace.document)
  const edges = document.edges.filter(({ from }) => from === node.id)
  if (edges.length === 0) return null
  const options = branchNames(node).map((name) => ({ value: name, label: name }))
  return (
    <section aria-label="Edges">
      <h3 className="panel-heading">Edges</h3>
      {edges.map((edge) => {
        const to = nodeById(document, edge.to)?.name ?? ''
        return (
          <Field key={edge.id} label={to}>
            {(id) => (
              <Select
                full
                id={id}
                label={`Branch to ${to}`}
                value={branchOf(node, edge, document) ?? ''}
                options={options}
                onChange={(branch) => change(`branch to ${to}`, (at) => editEdge(at, edge.id, { branch }))}
              />
            )}
          </Field>
        )
      })}
    </section>
  )
}
