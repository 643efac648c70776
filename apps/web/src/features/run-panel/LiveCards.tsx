import { useLive } from '../../live/LiveProvider.js'
import { useView } from '../../store/context.js'
import { ClockCard } from './ClockCard.js'
import { FatalCard } from './FatalCard.js'
import { useFatal } from './useFatal.js'
import './run-panel.css'

/** Floats over the canvas in Live mode: clocks, the run's error, the legend. */
export function LiveCards() {
  const fatal = useFatal()
  const panel = useView((state) => state.panel)
  const measured = useLive((state) => state.view?.frame != null) ?? false
  return (
    <>
      <div className="live-cards top">
        {fatal && panel === null && <FatalCard error={fatal} />}
        <ClockCard />
      </div>
      {measured && (
        <div className="live-cards bottom">
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
    </ul>
  )
}
