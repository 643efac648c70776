import { describe, expect, it } from 'vitest'
import { aDocument, aSource, aWorkspace } from '../fixtures.js'
import { editConfig, editFile, removeFile } from './files.js'
import { suppress, unsuppress } from './findings.js'
import { setSampleKeys } from './samples.js'

describe('suppress', () => {
  it('keeps one reason a rule and node', () => {
    const once = suppress(aDocument([aSource('in')]), 'r', 'in', 'known')
    const twice = suppress(suppress(once, 'r', 'in', 'still known'), 'other', 'in', 'fine')
    expect(twice.suppressions).toEqual([
      { rule: 'r', node: 'in', reason: 'still known' },
      { rule: 'other', node: 'in', reason: 'fine' },
    ])
    expect(unsuppress(twice, 'r', 'in').suppressions).toHaveLength(1)
    expect(unsuppress(twice, 'r', 'elsewhere')).toBe(twice)
  })
})

describe('files and config', () => {
  const workspace = aWorkspace(aDocument([]), { 'a.ts': '1' })

  it('are written and removed, and stay the same object when nothing changes', () => {
    expect(editFile(workspace, 'a.ts', '1')).toBe(workspace)
    expect(editFile(workspace, 'b.ts', '2').files).toEqual({ 'a.ts': '1', 'b.ts': '2' })
    expect(removeFile(workspace, 'a.ts').files).toEqual({})
    expect(removeFile(workspace, 'b.ts')).toBe(workspace)
  })

  it('set a key and take it away', () => {
    const set = editConfig(workspace, 'lanes.count', 8)
    expect(set.config).toEqual({ 'lanes.count': 8 })
    expect(editConfig(set, 'lanes.count', 8)).toBe(set)
    expect(editConfig(set, 'lanes.count', undefined).config).toEqual({})
  })
})

describe('setSampleKeys', () => {
  it('sets the keys of one source, and none takes them away', () => {
    const one = setSampleKeys(aDocument([aSource('in')]), 'in', ['6b'])
    expect(one.samples).toEqual({ in: { keys: ['6b'] } })
    expect(setSampleKeys(one, 'in', []).samples).toEqual({})
  })
})
