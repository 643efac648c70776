import type { AnalysisResult } from '@lanescope/shared'
import { expect, it } from 'vitest'
import { connect } from './commands/edges.js'
import { addNode } from './commands/nodes.js'
import { aCount, aDocument, aProcessor, aSink, aSource, aWorkspace } from './fixtures.js'
import { toMermaid } from './toMermaid.js'

const chip = { status: 'declared', label: 'string', windowed: false } as const

it('draws roles, stores, sub-topologies and boundaries', () => {
  const document = aDocument(
    [aSource('events'), { ...aCount('end'), name: 'end' }, aSink('out')],
    ['events>end', 'end>out'],
  )
  const analysis = {
    view: {
      subTopologies: [
        { index: 0, laneCount: 8, nodeIds: ['events'], title: 'by events' },
        { index: 1, laneCount: 4, nodeIds: ['end', 'out'], title: 'by "page"' },
      ],
      edges: [{ edgeId: 'events-end', keyChip: chip, valueChip: chip, boundary: true }],
    },
  } as unknown as AnalysisResult
  expect(toMermaid(document, analysis)).toBe(`---
title: "test"
---
flowchart LR
  subgraph s0["Sub-topology 0: 8 lanes, by events"]
    n0(["events<br/>topic source"])
  end
  subgraph s1["Sub-topology 1: 4 lanes, by #34;page#34;"]
    n1["end<br/>windowed count"]
    n2(["out<br/>topic sink"])
  end
  d0[("end-store<br/>keeps 1 min")]
  n1 -.- d0
  n0 -->|"key: string, to its lane"| n1
  n1 --> n2
`)
})

it('draws what was not analysed, and a shared store once', () => {
  const document = {
    ...aDocument([aProcessor('a', 0, 0, ['s']), aProcessor('b', 0, 0, ['s'])]),
    stores: [{ id: 's', name: 'shared', kind: 'key-value', key: undefined, value: undefined }],
  }
  const text = toMermaid(document as never, null)
  expect(text.match(/shared/g)).toHaveLength(1)
  expect(text).toContain('  n0 -.- d0\n  n1 -.- d0\n')
  expect(text).not.toContain('subgraph')
})

it('says which branch of a split an edge takes', () => {
  const { workspace } = addNode(aWorkspace(aDocument([aSource('in'), aSink('out')])), 'branch', { x: 0, y: 0 }, 'in')
  const text = toMermaid(connect(workspace.document, 'branch', 'out'), null)
  expect(text).toContain('  n0 --> n2\n  n2 -->|"matches"| n1\n')
})
