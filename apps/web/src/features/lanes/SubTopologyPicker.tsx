import { useFindings, useStores } from '../../store/context.js'

/** Which sub-topology's lanes are shown; only there when there are several. */
export function SubTopologyPicker(props: { readonly all: readonly number[]; readonly value: number }) {
  const { view } = useStores()
  const analysis = useFindings((state) => state.analysis)
  const titleOf = (index: number) => analysis?.view.subTopologies.find((one) => one.index === index)?.title ?? ''
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is a form's group; this is a switch of a view.
    <div className="segmented lanes-picker" role="group" aria-label="Sub-topology">
      {props.all.map((index) => (
        <button
          key={index}
          type="button"
          aria-pressed={index === props.value}
          title={titleOf(index)}
          onClick={() => view.getState().setParam('sub-topology', String(index))}
        >
          Sub-topology {index}
        </button>
      ))}
    </div>
  )
}
