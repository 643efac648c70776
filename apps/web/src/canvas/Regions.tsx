import { useStore, ViewportPortal } from '@xyflow/react'
import { type ReactNode, useMemo } from 'react'
import { cutCorners, isOutlined, lanesText, REGION_ABOVE, regionsOf, titleNode, titleTop } from '../model/regions.js'
import { useFindings, useProject, useView } from '../store/context.js'

/** The first title stands this far above the first row, clear of the numbered places; others stay clear of the row above. */
const TITLE_ABOVE = 78
const NEXT_TITLE_ABOVE = 24
/** As near as a title comes to its row, to stay in view. */
const NEAREST = 22

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
          const outlined = isOutlined(document, region, sub.nodeIds, regions.length)
          const above = sub.index === 0 ? TITLE_ABOVE : NEXT_TITLE_ABOVE
          const first = titleNode(document, sub.nodeIds)
          const row = first?.y ?? region.y + REGION_ABOVE
          return (
            <div key={sub.index} className={focused && sub.index > 0 ? 'away' : ''}>
              {outlined && (
                <svg className="region" width="1" height="1" aria-hidden="true">
                  <path d={cutCorners(region)} />
                </svg>
              )}
              <Title
                x={outlined || first === undefined ? region.x + 10 : first.x}
                top={outlined ? region.y + 6 : row - above}
                lowest={outlined ? region.y + 6 : row - NEAREST}
                width={outlined ? region.width - 20 : undefined}
              >
                <b>Sub-topology {sub.index}</b> {lanesText(sub)}, {sub.title}
              </Title>
            </div>
          )
        })}
      </div>
    </ViewportPortal>
  )
}

/** Comes nearer to its row where the edge of the canvas would hide it. */
function Title(props: {
  readonly x: number
  readonly top: number
  readonly lowest: number
  readonly width: number | undefined
  readonly children: ReactNode
}) {
  const { x, top, lowest, width, children } = props
  const y = useStore(({ transform: [, moved, zoom] }) => titleTop(top, lowest, moved, zoom))
  return (
    <p
      className={width === undefined ? 'region-title' : 'region-title wraps'}
      style={{ transform: `translate(${x}px, ${y}px)`, ...(width === undefined ? {} : { maxWidth: width }) }}
    >
      {children}
    </p>
  )
}
