import type { AnalysisResult } from '@lanescope/shared'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { aCount, aDocument, aProcessor, aSink, aSource } from '../../model/fixtures.js'
import { DRAWN_TOKENS, type Palette } from './palette.js'
import { TopologyDrawing } from './TopologyDrawing.js'
import { fitted, widthOf } from './textRoom.js'

const palette = Object.fromEntries(DRAWN_TOKENS.map((token) => [token, `#${token}`])) as unknown as Palette
const document = aDocument(
  [
    aSource('events', 0, 0),
    { ...aProcessor('sessionize', 200, 0), name: 'sess<&ionize-all' },
    aCount('views', 200, 100),
    aSink('out', 400, 0),
  ],
  ['events>sessionize', 'sessionize>out'],
)
const chip = { status: 'defaulted', label: 'string', windowed: false } as const
const analysis = {
  findings: [{ nodeId: 'views', severity: 'warn', nodeIds: [], pathEdgeIds: [], places: [] }],
  problems: [],
  leftOut: [],
  view: {
    nodes: [],
    edges: [{ edgeId: 'events-sessionize', keyChip: chip, valueChip: chip, boundary: true }],
    subTopologies: [
      { index: 0, laneCount: 8, nodeIds: ['events', 'sessionize', 'out'], title: 'by the raw key bytes of events' },
      { index: 1, laneCount: 4, nodeIds: ['views'], title: 'by view' },
    ],
  },
} as unknown as AnalysisResult

const draw = (of: AnalysisResult | null = analysis) =>
  renderToStaticMarkup(<TopologyDrawing document={document} analysis={of} palette={palette} />)

describe('a topology as a picture', () => {
  it('stands alone: nothing is asked of a page, a style sheet or a script', () => {
    const svg = draw()
    expect(svg).toMatch(/^<svg xmlns="http:\/\/www.w3.org\/2000\/svg"/)
    expect(svg).not.toMatch(/var\(|href|<script|class="(?!glyph|solid|heavy)/)
  })

  it('names every node, store and sub-topology, whatever characters they have', () => {
    const svg = draw()
    for (const words of ['events', 'sess&lt;&amp;ioniz', 'views', 'out', 'views-store', 'Sub-topology 1  4 lanes'])
      expect(svg).toContain(`>${words}`)
  })

  it('draws serdes by what is known of them, and a boundary as two bars', () => {
    const svg = draw()
    expect(svg).toContain('stroke="#caution-line" stroke-dasharray="3 2"')
    expect(svg).toContain('>String</text>')
    expect(svg).toContain('M-25.5 -9V9M-20.5 -9V9')
    expect(draw({ ...analysis, view: { ...analysis.view, edges: [] } })).not.toContain('M-25.5')
  })

  it('marks findings by shape, and holds everything with a margin', () => {
    const svg = draw()
    expect(svg).toContain('fill="#caution"')
    expect(svg).toMatch(/viewBox="-58 -86 636 \d+"/)
  })

  it('is drawn before anything was analysed, too', () => {
    expect(draw(null)).toContain('>events<')
  })
})

it('cuts a text to its room', () => {
  expect(fitted('abcdeg', 34, 10)).toBe('abcdeg')
  expect(fitted('abcdegh', 34, 10)).toBe('abcde…')
  expect(fitted('abc', 0, 10)).toBe('…')
  expect(widthOf('KSTREAM', 10)).toBeGreaterThan(widthOf('kstream', 10))
})
