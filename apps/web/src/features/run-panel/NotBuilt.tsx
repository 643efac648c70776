import { useFindings, useStores } from '../../store/context.js'
import type { FindingsState } from '../../store/findingsStore.js'

const firstError = ({ code }: FindingsState) => code?.find(({ severity }) => severity === 'error') ?? null

/** A run takes types away unread; the export is compiled with them. */
export function NotBuilt() {
  const error = useFindings(firstError)
  const { view } = useStores()
  if (error === null) return null
  return (
    <div className="run-note" role="note">
      <p>
        <b>It runs, but its export will not compile.</b> {error.path}:{error.line}{' '}
        {error.message.split('\n').at(-1)?.trim()}
      </p>
      <button
        type="button"
        className="button lined small"
        onClick={() => view.getState().openCode({ path: error.path, line: error.line })}
      >
        Open the code
      </button>
    </div>
  )
}
