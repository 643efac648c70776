import { readFileSync } from 'node:fs'
import { type EngineConfig, parseConfig } from '@lanescope/core'
import { describe, expect, it } from 'vitest'

const root = new URL('../../', import.meta.url)
const page = readFileSync(new URL('docs/reference/configuration.md', root), 'utf8')

function rows(section: string): ReadonlyMap<string, string> {
  const text = page.split(/^## /m).find((part) => part.startsWith(`${section}\n`)) ?? ''
  return new Map(
    [...text.matchAll(/^\| `([^`]+)` \| ([^|]+) \| /gm)].map(([, key = '', initial = '']) => [key, initial]),
  )
}

function inWords(value: unknown): string {
  const isNothing = value === undefined || (Array.isArray(value) && value.length === 0)
  return isNothing ? 'none' : `\`${value}\``
}

describe('the reference of the configuration', () => {
  const defaults = parseConfig({})

  it('has every key that the engine reads, and no other', () => {
    expect([...rows('The engine').keys()].sort()).toEqual(Object.keys(defaults).sort())
  })

  it('states the defaults that hold', () => {
    for (const [key, initial] of rows('The engine')) {
      const said = initial.replace(/ \(.*\)$/, '')
      expect(said, key).toBe(inWords(defaults[key as keyof EngineConfig]))
    }
  })

  it('has only keys of the log that are passed on to it', () => {
    const log = ['The log', 'State on disk', 'Security', 'Operating'].flatMap((section) => [...rows(section).keys()])
    expect(rows('The log').size).toBeGreaterThan(0)
    const given = Object.fromEntries(log.map((key) => [key, 'x']))
    expect(parseConfig(given)).toEqual(defaults)
  })

  it('has every key of state on disk', () => {
    const source = readFileSync(new URL('packages/node/src/config/stateConfig.ts', root), 'utf8')
    const read = [...source.matchAll(/config(?:\[|, )'([a-z.]+)'/g)].map(([, key = '']) => key)
    expect([...rows('State on disk').keys()].sort()).toEqual([...new Set(read)].sort())
  })

  it('has every key of the log', () => {
    const sources = ['config/logConfig.ts', 'run.ts'].map((path) =>
      readFileSync(new URL(`packages/node/src/${path}`, root), 'utf8'),
    )
    const read = [...sources.join('\n').matchAll(/'([a-z]+(?:\.[a-z]+)+)'/g)].map(([, key = '']) => key)
    const ofTheLog = read.filter((key) => !Object.hasOwn(defaults, key))
    expect([...rows('The log').keys()].sort()).toEqual([...new Set(ofTheLog)].sort())
  })

  it('has every key of security and of operating', () => {
    for (const [section, file] of [
      ['Security', 'securityConfig.ts'],
      ['Operating', 'operationsConfig.ts'],
    ] as const) {
      const source = readFileSync(new URL(`packages/node/src/config/${file}`, root), 'utf8')
      const read = [...source.matchAll(/'((?:security|ssl|sasl|http|log)(?:\.[a-z]+)+)'/g)].map(([, key = '']) => key)
      expect([...rows(section).keys()].sort()).toEqual([...new Set(read)].sort())
    }
  })

  it('has every key that is taken from environment and command line', () => {
    const source = readFileSync(new URL('packages/node/src/config/hostKeys.ts', root), 'utf8')
    const known = [...source.matchAll(/^ {2}'([a-z.]+)',$/gm)].map(([, key = '']) => key)
    const sections = ['The log', 'State on disk', 'Security', 'Operating']
    expect(sections.flatMap((section) => [...rows(section).keys()]).sort()).toEqual(known.sort())
  })
})
