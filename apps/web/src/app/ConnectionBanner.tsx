import { useEffect, useState } from 'react'
import { useConnection } from '../store/context.js'
import { Glyph } from '../ui/Glyph.js'
import { useServices } from './services.js'

/** Says that Lanescope does not answer, when it is tried again, and that nothing is lost. */
export function ConnectionBanner() {
  const status = useConnection((state) => state.status)
  const reason = useConnection((state) => state.reason)
  const mends = useConnection((state) => state.reloadMends)
  const known = useConnection((state) => state.hello !== null)
  const { client } = useServices()
  if (status === 'refused') {
    return (
      <div className="banner refused" role="alert">
        <span>{reason}</span>
        {mends && (
          <button type="button" className="button lined small" onClick={() => window.location.reload()}>
            Reload
          </button>
        )}
      </div>
    )
  }
  if (status !== 'lost') return null
  return (
    <div className="banner" role="alert">
      <Glyph name="barred" size={14} />
      <span>
        {known ? 'The connection to Lanescope is lost.' : 'Lanescope does not answer.'} <Countdown /> You can go on
        editing: nothing is lost.
      </span>
      <button type="button" className="button lined small" onClick={() => client.retryNow()}>
        Try now
      </button>
    </div>
  )
}

function Countdown() {
  const retryAt = useConnection((state) => state.retryAt)
  const { clock } = useServices()
  const [now, setNow] = useState(() => clock.now())
  useEffect(() => {
    let tick = clock.after(0, beat)
    function beat() {
      setNow(clock.now())
      tick = clock.after(500, beat)
    }
    return () => tick.cancel()
  }, [clock])
  const seconds = retryAt === null ? 0 : Math.max(0, Math.ceil((retryAt - now) / 1_000))
  return <>{seconds > 0 ? `Trying again in ${seconds} s.` : 'Trying again…'}</>
}
