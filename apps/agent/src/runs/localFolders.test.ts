import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { withLog } from './localFolders.js'

describe('the config of a run', () => {
  it('names the log that the agent was started with, whatever the project names', () => {
    const config = { 'bootstrap.servers': 'theirs:9092', 'embedded.log.dir': '/etc', 'lanes.count': 4 }
    const log = join('project', '.lanescope', 'log')
    expect(withLog(config, 'project', undefined)).toEqual({ 'embedded.log.dir': log, 'lanes.count': 4 })
    expect(withLog(config, 'project', 'ours:9092')).toMatchObject({ 'bootstrap.servers': 'ours:9092' })
  })

  it('keeps state in the project on Kafka, unless the project asks for it in memory', () => {
    const state = join('project', '.lanescope', 'state')
    expect(withLog({}, 'project', 'ours:9092')).toMatchObject({ 'state.dir': state })
    expect(withLog({ 'state.dir': '/etc' }, 'project', 'ours:9092')).toMatchObject({ 'state.dir': state })
    expect(withLog({ 'state.dir': ':memory:' }, 'project', 'ours:9092')).toMatchObject({ 'state.dir': ':memory:' })
  })

  it('keeps state in the project on the embedded log where the project asks for it on disk', () => {
    expect(withLog({ 'state.dir': '/etc' }, 'project', undefined)).toMatchObject({
      'state.dir': join('project', '.lanescope', 'state'),
    })
    expect(withLog({}, 'project', undefined)).not.toHaveProperty('state.dir')
  })
})
