import { writeDocument } from '@lanescope/shared'
import { describe, expect, it } from 'vitest'
import { aDocument, aSink, aSource } from './fixtures.js'
import { importText, looksLikeTopology } from './importText.js'

const DESCRIPTION = `Topologies:
   Sub-topology: 0
    Source: a (topics: [a])
      --> work
    Processor: work (stores: [])
      --> k
      <-- a
    Sink: k (topic: out)
      <-- work
`
const json = writeDocument(aDocument([aSource('in'), aSink('out')], ['in>out']))

describe('importText', () => {
  it('reads a description, lays it out, and brings code along for what it does not tell', async () => {
    const imported = await importText(DESCRIPTION)
    if (!imported.ok) throw new Error(imported.message)
    expect(imported).toMatchObject({ what: 'description', name: 'imported', placeholders: 1 })
    expect(Object.keys(imported.files)).toEqual(['imported.ts'])
    const columns = imported.document.nodes.map(({ position }) => position.x)
    expect(columns).toEqual([...columns].sort((a, b) => a - b))
    expect(new Set(columns).size).toBe(3)
  })

  it('reads a document under its own name, where a project can have that', async () => {
    expect(await importText(json)).toMatchObject({ ok: true, what: 'document', name: 'test', files: {} })
    const odd = writeDocument({ ...aDocument([aSource('in')]), name: '_mine' })
    expect(await importText(odd)).toMatchObject({ ok: true, name: 'imported', document: { name: '_mine' } })
  })

  it('says of a bad text what is wrong, and where', async () => {
    expect(await importText('Topologies:\n  what?')).toMatchObject({
      ok: false,
      message: expect.stringMatching(/^Line 2: /),
    })
    expect(await importText('{"formatVersion": 1,,}')).toMatchObject({
      ok: false,
      message: expect.stringMatching(/^At line 1, column \d+: This is not JSON/),
    })
    expect(await importText('[]')).toMatchObject({ ok: false, message: expect.stringContaining('JSON object') })
    expect(await importText('')).toMatchObject({ ok: false, message: expect.stringMatching(/^Line 1: /) })
  })
})

it('knows what is meant to be imported by how it begins', () => {
  expect(looksLikeTopology(DESCRIPTION)).toBe(true)
  expect(looksLikeTopology('\n  Sub-topology: 0\n')).toBe(true)
  expect(looksLikeTopology(json)).toBe(true)
  expect(looksLikeTopology('{"nodes": []}')).toBe(false)
  expect(looksLikeTopology('Some Topologies: here')).toBe(false)
})
