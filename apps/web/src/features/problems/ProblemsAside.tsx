import { useView } from '../../store/context.js'
import { Select } from '../../ui/Select.js'

/** How the list is ordered. */
export function ProblemsAside() {
  const grouping = useView((state) => state.params.group ?? 'severity')
  const setParam = useView((state) => state.setParam)
  return (
    <Select
      label="Order of the problems"
      value={grouping === 'node' ? 'node' : 'severity'}
      options={[
        { value: 'severity', label: 'Worst first' },
        { value: 'node', label: 'Group by node' },
      ]}
      onChange={(value) => setParam('group', value === 'severity' ? null : value)}
    />
  )
}
