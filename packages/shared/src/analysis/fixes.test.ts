import * as core from '@lanescope/core'
import { beforeAll, expect, it } from 'vitest'
import { documentOf, jsonOf, nodeOf, processor, sink, source, windowedCount } from '../../test/documents.js'
import { applyFix } from '../codegen/applyFix.js'
import type { TopologyDocument } from '../document/TopologyDocument.js'
import { providePackages } from '../loader/index.js'
import { Analyser } from './index.js'

const packages = new Map<string, object>([['@lanescope/core', core]])
beforeAll(() => providePackages(globalThis, packages))

const WORK = `export const Step = { sameKey: true, get: () => ({ process() {} }) }
export const keep = () => true`

async function findingsOf(document: TopologyDocument) {
  const analyser = new Analyser({
    packages,
    createUrl: (code) => `data:text/javascript,${encodeURIComponent(code)}`,
    revokeUrl: () => undefined,
    importUrl: (url) => import(/* @vite-ignore */ url),
    now: () => 0,
    onPhase: () => undefined,
  })
  const config = { 'application.id': 'app', 'default.key.serde': 'string', 'default.value.serde': 'json' }
  const files = { 'work.ts': WORK, 'model.ts': 'export interface Event {}\n' }
  const { findings, problems } = await analyser.analyse({ document, files, config })
  expect(problems).toEqual([])
  return findings
}

const work = { code: { module: './work', export: 'Step' } }
const kept = { id: 'kept', name: 'kept', kind: 'key-value', key: jsonOf('string'), value: jsonOf('Event') } as const

it.each<[rule: string, kind: string, TopologyDocument]>([
  [
    'source-key-bytes',
    'insert-repartition',
    documentOf(
      [
        source('a'),
        source('b', { key: { form: 'serde', serde: jsonOf('string') } }),
        nodeOf('merge', 'm', {}),
        processor('p', { ...work, stores: ['kept'] }),
        sink('out'),
      ],
      ['a > m > p > out', 'b > m'],
      { stores: [kept as never] },
    ),
  ],
  [
    'suppress-without-grace',
    'set-grace',
    documentOf(
      [source('a'), windowedCount('w', { graceMs: 0 }), nodeOf('suppress', 's', { until: 'window-closes' } as never)],
      ['a > w > s'],
    ),
  ],
  [
    'dangling-sink',
    'add-sink',
    documentOf(
      [source('a'), nodeOf('transform', 'f', { op: 'filter', code: { module: './work', export: 'keep' } })],
      ['a > f'],
    ),
  ],
])('a finding of %s is gone after its fix', async (rule, kind, document) => {
  const before = (await findingsOf(document)).filter((finding) => finding.rule === rule)
  expect(before).toHaveLength(1)
  const fix = before[0]?.fixes.find((one) => one.kind === kind)
  expect(fix).toBeDefined()
  const after = await findingsOf(applyFix(document, fix as NonNullable<typeof fix>))
  expect(after.filter((finding) => finding.rule === rule)).toEqual([])
})
