import { useMemo } from 'react'
import { keptOf } from '../../live/journal.js'
import { LiveEmpty } from '../../live/LiveEmpty.js'
import { useLive } from '../../live/LiveProvider.js'
import { useView } from '../../store/context.js'
import { LaneColumn } from './LaneColumn.js'
import { CROWDED_FROM, sameTrack, subTopologiesOf, toLaneCells } from './laneBoard.js'
import { SplitCard } from './SplitCard.js'
import { SplitTrack } from './SplitTrack.js'
import { SubTopologyPicker } from './SubTopologyPicker.js'
import { useShownSplit } from './useShownSplit.js'
import './lanes.css'

/** The lane board: one column a lane, a proven split as the track between its two lanes. */
export function LanesTab() {
  const lanes = useLive((state) => state.view?.figures.lanes)
  const old = useLive((state) => state.freshness.state !== 'live')
  const journal = useLive((state) => state.view?.journal)
  const nodes = useLive((state) => state.view?.figures.nodes)
  const chosen = useView((state) => state.params['sub-topology'])
  const shown = useShownSplit(journal)
  const all = useMemo(() => subTopologiesOf(lanes ?? []), [lanes])
  const ofSplit = shown.split ? nodes?.get(shown.split.node)?.subTopology : undefined
  const subTopology = all.find((one) => String(one) === chosen) ?? ofSplit ?? all[0]
  const split = shown.split && (ofSplit ?? 0) === subTopology ? shown.split : null
  const cells = useMemo(
    () =>
      toLaneCells(
        (lanes ?? []).filter((lane) => lane.subTopology === subTopology),
        split,
      ),
    [lanes, subTopology, split],
  )
  if (cells.length === 0 || !journal) {
    return (
      <LiveEmpty shows="This board shows each lane's queue, load, hottest key and waits, and every proven split." />
    )
  }
  const crowded = cells.length >= CROWDED_FROM
  const capacity = cells[0]?.figures.capacity ?? 0
  return (
    <div className={crowded ? 'lanes-tab crowded' : 'lanes-tab'}>
      <div className="lanes-main">
        {all.length > 1 && <SubTopologyPicker all={all} value={subTopology ?? 0} />}
        <div className="lanes-board">
          <LaneLabels capacity={capacity} />
          {cells.map((cell) => (
            <LaneColumn key={cell.figures.lane} cell={cell} crowded={crowded} old={old ?? true} />
          ))}
          {split && (
            <SplitTrack
              split={split}
              laneCount={cells.length}
              count={sameTrack(keptOf(journal, 'split').items, split)}
            />
          )}
        </div>
      </div>
      {shown.split && <SplitCard shown={shown} split={shown.split} />}
    </div>
  )
}

function LaneLabels(props: { readonly capacity: number }) {
  return (
    <div className="lane-labels" aria-hidden="true">
      <span>Lane</span>
      <span>
        Queue
        <small>of {props.capacity}</small>
      </span>
      <span>Busy</span>
      <span>Top key</span>
      <span>Rate</span>
      <span>Waits</span>
    </div>
  )
}
