import { describe, expect, it } from 'vitest'
import { findCases } from './findCases.mjs'
import { runFile } from './runFile.js'

const folder = new URL('cases', import.meta.url).pathname
const cases = await findCases(folder)
const more = await findCases(new URL('more', import.meta.url).pathname)

describe('[D1] under compat: kafka-streams the engine does what Kafka Streams did', () => {
  it('in a great many cases', () => {
    expect(cases.length).toBeGreaterThanOrEqual(915)
  })

  it.each([...cases, ...more].map((found) => [found.name, found] as const))('%s', async (_name, found) => {
    expect(await runFile(found, 'kafka-streams')).toEqual([])
  })
})
