import type { AnalysisResult, TopologyDocument } from '@lanescope/shared'
import { NODE_HEIGHT, NODE_WIDTH } from '../../model/layout.js'
import { cutCorners, isOutlined, lanesText, type Region, regionsOf, titleNode } from '../../model/regions.js'
import { edgeFacts, nodeFacts } from '../flowModel.js'
import { DrawnEdge } from './DrawnEdge.js'
import { DrawnNode } from './DrawnNode.js'
import type { Palette } from './palette.js'
import { fitted } from './textRoom.js'

const MARGIN = 32
/** Above the outline of the first sub-topology, for its title. */
const TITLE = 18

/** The topology as a picture that stands alone: no scripts, no styles from outside, no fonts but by name. */
export function TopologyDrawing(props: {
  readonly document: TopologyDocument
  readonly analysis: AnalysisResult | null
  readonly palette: Palette
  /** Rules that bring the fonts along; empty: the reader's own. */
  readonly fonts?: string
}) {
  const { document, analysis, palette, fonts = '' } = props
  const input = { document, analysis, finding: undefined, proof: undefined, found: null }
  const regions = regionsOf(document, analysis?.view.subTopologies ?? [])
  const box = boundsOf(document, regions)
  const places = new Map(document.nodes.map((node) => [node.id, node.position]))
  return (
    <svg
      xmlns="http://www.w3.org/2000/svg"
      viewBox={`${box.x} ${box.y} ${box.width} ${box.height}`}
      width={box.width}
      height={box.height}
      fontFamily="'IBM Plex Sans', 'Segoe UI', Roboto, Arial, sans-serif"
    >
      <title>{document.name}</title>
      <style>{`${fonts}.solid{fill:currentColor;stroke:none}.heavy{stroke-width:2.2}`}</style>
      <rect {...box} fill={palette.ground} />
      {regions.map((region) => {
        const sub = analysis?.view.subTopologies.find(({ index }) => index === region.index)
        const words = `Sub-topology ${region.index}  ${sub === undefined ? '' : `${lanesText(sub)}, ${sub.title}`}`
        const first = titleNode(document, sub?.nodeIds ?? [])
        const outlined = isOutlined(document, region, sub?.nodeIds ?? [], regions.length)
        return (
          <g key={region.index}>
            {outlined && (
              <path d={cutCorners(region)} fill={palette.surface} fillOpacity={0.55} stroke={palette.line} />
            )}
            <text
              x={outlined || first === undefined ? region.x + 10 : first.x}
              y={outlined || first === undefined ? region.y + 16 : first.y - TITLE}
              fontSize={10.5}
              fill={palette['ink-3']}
            >
              {outlined ? fitted(words, region.width - 16, 10.5) : words}
            </text>
          </g>
        )
      })}
      {edgeFacts(input).map((facts) => (
        <DrawnEdge
          key={facts.edge.id}
          facts={facts}
          from={places.get(facts.edge.from) ?? ORIGIN}
          to={places.get(facts.edge.to) ?? ORIGIN}
          palette={palette}
        />
      ))}
      {nodeFacts(input).map((facts) => (
        <DrawnNode key={facts.node.id} facts={facts} palette={palette} />
      ))}
    </svg>
  )
}

const ORIGIN = { x: 0, y: 0 }

/** Everything that is drawn, and a margin. */
function boundsOf(document: TopologyDocument, regions: readonly Region[]): Omit<Region, 'index'> {
  const boxes = [
    ...regions,
    ...document.nodes.map(({ position }) => ({ ...position, width: NODE_WIDTH, height: NODE_HEIGHT })),
  ]
  if (boxes.length === 0) return { x: 0, y: 0, width: 2 * MARGIN, height: 2 * MARGIN }
  const x = Math.min(...boxes.map((box) => box.x)) - MARGIN
  const y = Math.min(...boxes.map((box) => box.y)) - MARGIN - TITLE
  const right = Math.max(...boxes.map((box) => box.x + box.width)) + MARGIN
  const bottom = Math.max(...boxes.map((box) => box.y + box.height)) + MARGIN
  return { x, y, width: right - x, height: bottom - y }
}
