import { describe, expect, it } from 'vitest'
import { aDocument, aSource } from '../model/fixtures.js'
import type { Workspace } from '../model/Workspace.js'
import { changesBetween } from './changesBetween.js'
import { createDrafts } from './drafts.js'
import { mergeWorkspace } from './mergeWorkspace.js'
import { takeToken } from './token.js'

const base: Workspace = {
  document: aDocument([aSource('in')]),
  files: { 'a.ts': 'a', 'b.ts': 'b' },
  config: { 'lanes.count': 8 },
}

describe('changesBetween', () => {
  it('sends only what changed', () => {
    expect(changesBetween(base, base)).toEqual({})
    expect(changesBetween(base, { ...base, document: structuredClone(base.document) })).toEqual({})
    expect(changesBetween(base, { ...base, files: { 'a.ts': 'A', 'c.ts': 'c' } })).toEqual({
      files: { 'a.ts': 'A', 'c.ts': 'c' },
      deletedFiles: ['b.ts'],
    })
    expect(changesBetween(base, { ...base, config: { 'lanes.count': 5 } })).toEqual({ config: { 'lanes.count': 5 } })
    const document = { ...base.document, name: 'other' }
    expect(changesBetween(base, { ...base, document })).toEqual({ document })
  })
})

describe('mergeWorkspace', () => {
  it('takes the side that changed, part by part', () => {
    const mine = { ...base, files: { ...base.files, 'a.ts': 'mine' } }
    const theirs = { ...base, files: { 'a.ts': 'a', 'c.ts': 'new' }, config: { 'lanes.count': 5 } }
    expect(mergeWorkspace(base, mine, theirs)).toEqual({
      ok: true,
      workspace: { document: base.document, files: { 'a.ts': 'mine', 'c.ts': 'new' }, config: { 'lanes.count': 5 } },
    })
  })

  it('agrees with itself where both did the same', () => {
    const both = { ...base, config: { 'lanes.count': 5 } }
    expect(mergeWorkspace(base, both, structuredClone(both))).toMatchObject({
      ok: true,
      workspace: { config: { 'lanes.count': 5 } },
    })
  })

  it('names every part that both changed differently', () => {
    const mine = { ...base, files: { ...base.files, 'a.ts': '1' }, document: { ...base.document, name: 'x' } }
    const theirs = { ...base, files: { 'b.ts': 'b' }, document: { ...base.document, name: 'y' } }
    expect(mergeWorkspace(base, mine, theirs)).toEqual({ ok: false, parts: ['src/a.ts', 'topology.json: name'] })
  })

  it('merges edits of different parts of the document', () => {
    const mine = { ...base, document: { ...base.document, name: 'x' } }
    const theirs = { ...base, document: { ...base.document, samples: { in: { keys: ['6b'] } } } }
    expect(mergeWorkspace(base, mine, theirs)).toMatchObject({
      ok: true,
      workspace: { document: { name: 'x', samples: { in: { keys: ['6b'] } } } },
    })
  })
})

describe('drafts', () => {
  const memory = () => {
    const kept = new Map<string, string>()
    return {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => void kept.set(key, value),
      removeItem: (key: string) => void kept.delete(key),
    }
  }

  it('keep edits by project until they are dropped', () => {
    const drafts = createDrafts(memory())
    expect(drafts.keep('p', { revision: 3, base, workspace: base })).toBe(true)
    expect(drafts.read('p')).toEqual({ revision: 3, base, workspace: base })
    expect(drafts.read('q')).toBeUndefined()
    drafts.drop('p')
    expect(drafts.read('p')).toBeUndefined()
  })

  it('say when a full storage kept nothing', () => {
    const full = {
      ...memory(),
      setItem: () => {
        throw new Error('QuotaExceededError')
      },
    }
    expect(createDrafts(full).keep('p', { revision: 1, base, workspace: base })).toBe(false)
  })
})

describe('takeToken', () => {
  const host = (hash: string, kept: string | null) => {
    const urls: string[] = []
    const storage = new Map<string, string>(kept === null ? [] : [['lanescope.token', kept]])
    return {
      urls,
      storage,
      location: { hash, pathname: '/', search: '?project=x' },
      history: { replaceState: (_data: unknown, _unused: string, url: string) => void urls.push(url) },
    }
  }
  const take = (of: ReturnType<typeof host>) =>
    takeToken({
      location: of.location,
      history: of.history,
      storage: {
        getItem: (key) => of.storage.get(key) ?? null,
        setItem: (key, value) => void of.storage.set(key, value),
      },
    })

  it('moves it out of the address into the tab’s storage', () => {
    const page = host('#token=abc_-1', null)
    expect(take(page)).toBe('abc_-1')
    expect(page.urls).toEqual(['/?project=x'])
    expect(page.storage.get('lanescope.token')).toBe('abc_-1')
  })

  it('finds it there after a reload, and prefers a newer one', () => {
    expect(take(host('', 'old'))).toBe('old')
    expect(take(host('#token=new', 'old'))).toBe('new')
    expect(take(host('', null))).toBeNull()
  })
})
