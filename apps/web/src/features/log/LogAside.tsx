import { formatCount } from '../../live/formatNumber.js'
import { missingCount } from '../../live/journal.js'
import { LiveNote } from '../../live/LiveNote.js'
import { useLive } from '../../live/LiveProvider.js'
import { useStores, useView } from '../../store/context.js'
import { Glyph } from '../../ui/Glyph.js'
import { Select } from '../../ui/Select.js'
import type { Level } from './logLines.js'

const LEVELS: readonly { readonly value: Level; readonly label: string }[] = [
  { value: 'info', label: 'everything' },
  { value: 'warn', label: 'warnings and errors' },
  { value: 'error', label: 'errors' },
]

/** Which lines are shown, and whether any was missed. */
export function LogAside() {
  const { view } = useStores()
  const least = (useView((state) => state.params['log-level']) ?? 'info') as Level
  const node = useView((state) => state.params['log-node'])
  const total = useLive((state) => state.view?.journal.lastN ?? 0) ?? 0
  const missing = useLive((state) => (state.view ? missingCount(state.view.journal) : 0)) ?? 0
  return (
    <>
      {total > 0 && (
        <LiveNote>
          {missing === 0
            ? `${formatCount(total)} events, none missed`
            : `${formatCount(total)} events, ${formatCount(missing)} from before this page watched`}
        </LiveNote>
      )}
      {node !== undefined && (
        <button
          type="button"
          className="button lined small"
          title="Show the lines of all nodes"
          onClick={() => view.getState().setParam('log-node', null)}
        >
          at {node} <Glyph name="close" size={10} />
        </button>
      )}
      <Select
        label="Lines shown"
        value={least}
        options={LEVELS}
        onChange={(level) => view.getState().setParam('log-level', level === 'info' ? null : level)}
      />
    </>
  )
}
