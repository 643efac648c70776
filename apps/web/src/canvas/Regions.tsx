import { ViewportPortal } from '@xyflow/react'
import { useMemo } from 'react'
import { NODE_HEIGHT, NODE_WIDTH } from '../model/layout.js'
import { cutCorners, regionsOf } from '../model/regions.js'
import { useFindings, useProject, useView } from '../store/context.js'

/** The first title stands this far above the first row, clear of the numbered places; others stay clear of the row above. */
const TITLE_ABOVE = 94
const NEXT_TITLE_ABOVE = 24

/** Sub-topologies: an outline where there are several, and for each its lanes and what picks them. */
export function Regions() {
  const document = useProject((state) => state.workspace.document)
  const subs = useFindings((state) => state.analysis?.view.subTopologies)
  const focused = useView((state) => state.findingId !== null && state.mode === 'design')
  const regions = useMemo(() => (subs ? regionsOf(document, subs) : []), [document, subs])
  if (!subs) return null
  return (
    <ViewportPortal>
      <div className="regions">
        {regions.map((region) => {
          const sub = subs.find((one) => one.index === region.index)
          if (!sub) return null
          const foreign = document.nodes.some((node) => {
            const { x, y } = node.position
            const inside = x + NODE_WIDTH > region.x && x < region.x + region.width
            return (
              !sub.nodeIds.includes(node.id) && inside && y + NODE_HEIGHT > region.y && y < region.y + region.height
            )
          })
          const outlined = regions.length > 1 && !foreign && region.index > 0
          const above = sub.index === 0 ? TITLE_ABOVE : NEXT_TITLE_ABOVE
          const top = outlined ? region.y + 6 : region.y + 36 - above
          return (
            <div key={sub.index} className={focused && sub.index > 0 ? 'away' : ''}>
              {outlined && (
                <svg className="region" width="1" height="1" aria-hidden="true">
                  <path d={cutCorners(region)} />
                </svg>
              )}
              <p
                className="region-title"
                style={{
                  transform: `translate(${region.x + (outlined ? 10 : 26)}px, ${top}px)`,
                  ...(outlined && { maxWidth: region.width - 20 }),
                }}
              >
                <b>Sub-topology {sub.index}</b> {sub.laneCount} {sub.laneCount === 1 ? 'lane' : 'lanes'}, {sub.title}
              </p>
            </div>
          )
        })}
      </div>
    </ViewportPortal>
  )
}
