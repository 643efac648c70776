import { describe, expect, it } from 'vitest'
import { AgentError } from '../AgentError.js'
import { checkModulePath, checkProjectId, isModulePath, isProjectId } from './paths.js'

describe('ids of projects', () => {
  it.each(['a', 'sessionize', 'Daily-counts_2.0', 'x'.repeat(100)])('may be %s', (id) => {
    expect(isProjectId(id)).toBe(true)
  })

  it.each([
    '',
    '.',
    '..',
    '../x',
    'a/b',
    'a\\b',
    '.hidden',
    '-a',
    'a.',
    'a b',
    'a\0',
    'C:',
    'CON',
    'nul.x',
    'x'.repeat(101),
  ])('may not be %j', (id) => {
    expect(isProjectId(id)).toBe(false)
    expect(() => checkProjectId(id)).toThrow(AgentError)
  })
})

describe('paths of modules', () => {
  it.each(['model.ts', 'a/b/c.ts', 'a-b_c.test.ts', 'sub/topology.ts'])('may be %s', (path) => {
    expect(isModulePath(path)).toBe(true)
  })

  it.each([
    '../a.ts',
    'a/../../b.ts',
    '/etc/a.ts',
    'a//b.ts',
    './a.ts',
    'a\\b.ts',
    'a.js',
    'a',
    '.a.ts',
    'a/.b.ts',
    'a\0.ts',
    'C:/a.ts',
    `${'x'.repeat(198)}.ts`,
  ])('may not be %j', (path) => {
    expect(isModulePath(path)).toBe(false)
    expect(() => checkModulePath(path)).toThrow(/is a path under src\//)
  })

  it.each(['topology.ts', 'stores.ts', 'traffic.ts'])('may not be %s, which is generated', (path) => {
    expect(() => checkModulePath(path)).toThrow(/generated/)
  })
})
