import { describe, expect, it } from 'vitest'
import { emptyDocument } from './emptyDocument.js'
import { fingerprintOf } from './fingerprint.js'
import type { TopologyDocument } from './TopologyDocument.js'

const sink = (name: string, x = 0, note?: string): TopologyDocument['nodes'][number] => ({
  id: 's',
  kind: 'sink',
  name,
  position: { x, y: 0 },
  properties: { topic: 'out' },
  ...(note === undefined ? {} : { note }),
})
const document = (...nodes: TopologyDocument['nodes']) => ({ ...emptyDocument('p'), nodes })
const base = { document: document(sink('a')), files: { 'x.ts': '1', 'y.ts': '2' }, config: { a: 1, b: 2 } }
const first = fingerprintOf(base)

describe('fingerprintOf', () => {
  it('is a short text', () => expect(first).toMatch(/^[0-9a-f]{16}$/))

  it('is the same for what runs alike', () => {
    const { files, config } = base
    const alike = [
      { ...base, document: document(sink('a', 300)) },
      { ...base, document: document(sink('a', 0, 'a note')) },
      { ...base, document: { ...base.document, samples: { s: { keys: ['6b'] } } } },
      { ...base, files: { 'y.ts': files['y.ts'], 'x.ts': files['x.ts'] } },
      { ...base, files: { ...files, 'topology.ts': 'generated' } },
      { ...base, config: { b: config.b, a: config.a } },
    ]
    for (const one of alike) expect(fingerprintOf(one)).toBe(first)
  })

  it('is another for what runs otherwise', () => {
    const others = [
      { ...base, document: document(sink('b')) },
      { ...base, files: { ...base.files, 'x.ts': '3' } },
      { ...base, files: { 'x.ts': '2', 'y.ts': '1' } },
      { ...base, config: { ...base.config, a: 2 } },
    ]
    expect(new Set([first, ...others.map(fingerprintOf)]).size).toBe(others.length + 1)
  })
})
