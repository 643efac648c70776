import type { WireError } from '@lanescope/shared'
import { Popover } from 'radix-ui'
import { errorTitle } from '../../live/errorTitles.js'
import { useStores } from '../../store/context.js'
import { SeverityMark } from '../../ui/SeverityMark.js'
import { OpenPlace } from './ErrorPlace.js'
import './run-controls.css'

/** Why a run was not started or stopped: two words in the bar, the whole text below them. */
export function Refusal({ error }: { readonly error: WireError }) {
  const { run } = useStores()
  return (
    <Popover.Root defaultOpen>
      <Popover.Trigger className="button small danger run-refused">
        <SeverityMark severity="error" /> {errorTitle(error.code)}
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          className="run-popover refused"
          // Its start may be over a panel's title.
          align="end"
          sideOffset={6}
          aria-label="Refused"
          onOpenAutoFocus={(event) => event.preventDefault()}
        >
          <p role="alert">{error.message}</p>
          <div className="card-buttons">
            <OpenPlace error={error} />
            <button type="button" className="button small" onClick={() => run.getState().setRefusal(null)}>
              Dismiss
            </button>
          </div>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  )
}
