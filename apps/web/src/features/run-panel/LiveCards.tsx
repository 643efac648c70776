import { useLive } from '../../live/LiveProvider.js'
import { useConnection } from '../../store/context.js'
import { ClockCard } from './ClockCard.js'
import { RunStateCard } from './RunStateCard.js'
import './run-panel.css'

/** Floats over the canvas in Live mode: clocks and the legend; what stopped a run stands in the panel. */
export function LiveCards() {
  const measured = useLive((state) => state.view?.frame != null) ?? false
  const connected = useConnection((state) => state.status === 'open')
  return (
    <>
      <RunStateCard />
      {measured && (
        <div className={connected ? 'live-cards' : 'live-cards below-banner'}>
          <ClockCard />
          <Legend />
        </div>
      )}
    </>
  )
}

function Legend() {
  return (
    <ul className="live-legend" aria-label="Legend">
      <li>
        <i className="legend-width" /> width: records /s
      </li>
      <li>
        <i className="legend-busy" /> fill: busy share
      </li>
      <li>
        <i className="legend-cause" /> cause of pressure
      </li>
      <li>
        <i className="legend-victim" /> waits on it
      </li>
      <li>
        <i className="legend-drops" /> drops records
      </li>
    </ul>
  )
}
