import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ROOT } from './markdown.js'

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
const conformance = 'tooling/conformance'

interface Row {
  readonly entry: string
  readonly here: string
  readonly shownBy: string
}

const rows = [...read('docs/reference/reports.md').matchAll(/^\| ([GH]-\d+) \| ([^|]+) \| ([^|]+) \|$/gm)].map(
  ([, entry = '', here = '', shownBy = '']): Row => ({ entry, here, shownBy }),
)

/** What is said to show an entry: a case file, or a file of tests with, where it is given, a part of a title. */
function evidence({ shownBy }: Row) {
  return [...shownBy.matchAll(/`([^`]+)`(?: “([^”]+)”)?/g)].map(([, file = '', title]) => ({ file, title }))
}

/** The texts of a file that may be titles: those of one line in quotes. In a file of types they are comments. */
function titles(file: string): string[] {
  const text = read(file)
  if (file.endsWith('.test-d.ts')) return [...text.matchAll(/\/\/ (.+)$/gm)].map(([, comment = '']) => comment)
  return [...text.matchAll(/(?:\b(?:it|describe)|\))\(\s*(['"`])(.+?)\1,/g)].map(([, , title = '']) => title)
}

function missing(row: Row): string[] {
  return evidence(row).flatMap(({ file, title }) => {
    const path = file.startsWith('cases/') ? `${conformance}/${file}` : file
    if (!existsSync(join(ROOT, path))) return [`${row.entry}: there is no ${path}`]
    if (file.startsWith('cases/')) return []
    const named = new RegExp(`\\b${row.entry}\\b`)
    const isShown = titles(path).some((found) => (title === undefined ? named.test(found) : found.includes(title)))
    return isShown ? [] : [`${row.entry}: no test of ${path} is called ${title ?? row.entry}`]
  })
}

describe('the list of public reports', () => {
  it.each([
    ['G', 110],
    ['H', 15],
  ] as const)('has each entry of section %s once, in order', (section, count) => {
    const expected = Array.from({ length: count }, (_, i) => `${section}-${i + 1}`)
    expect(rows.map(({ entry }) => entry).filter((entry) => entry.startsWith(section))).toEqual(expected)
  })

  it('names files and tests that are there', () => expect(rows.flatMap(missing)).toEqual([]))

  it('shows every entry, but for those that say why not', () => {
    const unshown = rows.filter((row) => evidence(row).length === 0)
    expect(unshown.filter(({ here }) => !/^(Not ours|Open): ./.test(here)).map(({ entry }) => entry)).toEqual([])
  })

  it.each([
    ['G', 'reports'],
    ['H', 'hard'],
  ])('has every case of section %s', (section, folder) => {
    const named = new Map(rows.map((row) => [row.entry, evidence(row).map(({ file }) => file)]))
    const unnamed = readdirSync(join(ROOT, conformance, 'cases', folder)).filter((file) => {
      const number = Number(/^[gh]-(\d+)-/.exec(file)?.[1])
      return !named.get(`${section}-${number}`)?.includes(`cases/${folder}/${file}`)
    })
    expect(unnamed).toEqual([])
  })
})
