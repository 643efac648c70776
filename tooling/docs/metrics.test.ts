import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const root = new URL('../../', import.meta.url)
const text = (path: string) => readFileSync(new URL(path, root), 'utf8')
const page = text('docs/reference/metrics.md')
const source = text('packages/node/src/operations/scrape.ts')
const named = (pattern: RegExp, of: string) => [...of.matchAll(pattern)].map(([, name = '']) => name)
const rows = named(/^\| `(\w+)` \| (?:gauge|counter|histogram) \|/gm, page)

describe('the reference of metrics', () => {
  it('has each metric that is written, and no other', () => {
    const written = named(/out\.(?:gauge|counter|histogram)\('(\w+)'/g, source)
    const table = /const COUNTERS[^{]*\{[^}]*\} = \{([^}]*)\}/.exec(source)?.[1] ?? ''
    const counters = named(/^ {2}(\w+):/gm, table).map((name) => `lanescope_${name}`)
    expect(counters.length).toBeGreaterThan(5)
    const histogram = named(/histogram\('(\w+)'/g, source)
    expect([...rows].sort()).toEqual([...new Set([...written, ...counters, ...histogram])].sort())
  })

  it('has a type and labels as written', () => {
    for (const [, type = '', name = ''] of source.matchAll(/out\.(gauge|counter|histogram)\('(\w+)'/g)) {
      expect(page).toMatch(new RegExp(`^\\| \`${name}\` \\| ${type} \\|`, 'm'))
      if (type === 'counter') expect(name).toMatch(/_total$/)
    }
  })

  it('has every reason', () => {
    const reasons = named(/^ {2}(\w+): true,$/gm, source).filter(
      (name) => name.includes('_') || /^(deser|proces|produ)/.test(name),
    )
    expect(reasons.length).toBeGreaterThan(15)
    for (const reason of reasons) expect(page).toContain(`\`${reason}\``)
  })

  it('knows every counter of the engine', () => {
    const folders = ['Losses.ts', 'TopologyRunner.ts', 'assembly/equip.ts', 'guards/FutureJudge.ts']
    const paths = [...folders, 'reading/PartitionReader.ts', 'ticks/TickSources.ts']
    const counted = paths.flatMap((path) => named(/[`'](\w+_total)\b/g, text(`packages/core/src/runtime/${path}`)))
    expect(counted.length).toBeGreaterThan(6)
    for (const name of counted) expect(rows).toContain(`lanescope_${name}`)
  })
})
