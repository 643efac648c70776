import { useView } from '../../store/context.js'
import { Select } from '../../ui/Select.js'

/** How the list is ordered. */
export function ProblemsAside() {
  const grouping = useView((state) => state.params['group'] ?? 'node')
  const setParam = useView((state) => state.setParam)
  return (
    <Select
      label="Order of the problems"
      value={grouping === 'severity' ? 'severity' : 'node'}
      options={[
        { value: 'node', label: 'Group by node' },
        { value: 'severity', label: 'Group by severity' },
      ]}
      onChange={(value) => setParam('group', value === 'node' ? null : value)}
    />
  )
}
