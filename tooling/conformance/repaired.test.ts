import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { findCases } from './findCases.mjs'
import { parseRepaired } from './RepairedFile.js'
import { runFile } from './runFile.js'

const folderOf = (name: string) => new URL(name, import.meta.url).pathname
const cases = await findCases(folderOf('cases'), folderOf('repaired'))
const own = await findCases(folderOf('repaired'))

describe('[S6] with its repairs the engine does what Kafka Streams did, but for what they change', () => {
  it.each(cases.map((found) => [found.name, found] as const))('%s', async (_name, found) => {
    expect(await runFile(found, 'repair')).toEqual([])
  })
})

describe('the results that repairs change', () => {
  it('are of cases that are there', () => {
    const names = new Set(cases.map(({ name }) => name))
    expect(own.filter(({ name }) => !names.has(name))).toEqual([])
  })

  it.each([
    'on-window-close-loss',
    'overlapping-sessions',
    'double-final-result',
    'repartition-key-serde',
    'windowed-default-serde',
  ])('[S6] show %s', async (repair) => {
    const because = await Promise.all(own.map(async ({ path }) => parseRepaired(await readFile(path, 'utf8')).because))
    expect(because.filter((reason) => reason === repair).length).toBeGreaterThanOrEqual(4)
  })
})
