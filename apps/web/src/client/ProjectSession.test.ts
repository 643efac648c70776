import { ManualClock } from '@lanescope/core'
import type { Project } from '@lanescope/shared'
import { describe, expect, it } from 'vitest'
import { aDocument, aSource } from '../model/fixtures.js'
import { createStores } from '../store/AppStores.js'
import type { AgentClient } from './AgentClient.js'
import { createProjectSession } from './ProjectSession.js'

const project = (id: string): Project => ({
  id,
  revision: 1,
  document: aDocument([aSource('in')]),
  files: {},
  config: {},
})

function setUp() {
  const clock = new ManualClock()
  const stores = createStores(clock, {})
  const asked: object[] = []
  const client = {
    request: async (type: string, body: { readonly projectId?: string; readonly exampleId?: string }) => {
      asked.push({ type, ...body })
      return { project: project(body.projectId ?? body.exampleId ?? 'new'), run: null }
    },
  } as unknown as AgentClient
  const kept: string[] = []
  const drafts = {
    read: () => undefined,
    keep: (id: string) => kept.push(`keep ${id}`) > 0,
    drop: (id: string) => void kept.push(`drop ${id}`),
  }
  const session = createProjectSession({ client, stores, clock, drafts })
  const look = () => {
    stores.view.getState().selectNodes(['in'])
    stores.view.getState().set({ mode: 'live', search: 'x' })
    stores.notice.getState().say('That went wrong.', 'danger')
  }
  const seen = () => {
    const { mode, selection, search } = stores.view.getState()
    return { mode, selection, search, notice: stores.notice.getState().notice?.message ?? null }
  }
  return { session, stores, asked, kept, look, seen }
}

const NOTHING = { mode: 'design', selection: [], search: null, notice: null }

describe('opening', () => {
  it('another project lets go of what was looked at and said in the one before', async () => {
    const { session, look, seen } = setUp()
    for (const open of [
      () => session.openProject('b'),
      () => session.openExample('e'),
      () => session.create('n'),
      async () => session.close(),
    ]) {
      look()
      await open()
      expect(seen()).toEqual(NOTHING)
    }
  })

  it('what the address names keeps what the address says of it', async () => {
    const { session, stores, seen } = setUp()
    stores.view.getState().selectNodes(['in'])
    await session.openProject('b', true)
    expect(seen()).toEqual({ ...NOTHING, selection: ['in'] })
  })

  it('asks for a fresh copy of an example only when told to', async () => {
    const { session, asked } = setUp()
    await session.openExample('e')
    await session.openExample('e', true)
    expect(asked).toEqual([
      { type: 'open-example', exampleId: 'e' },
      { type: 'open-example', exampleId: 'e', fresh: true },
    ])
  })
})

describe('a project that is gone', () => {
  const open = async () => {
    const page = setUp()
    await page.session.openProject('b')
    page.stores.project.getState().edit('Rename', (at) => ({ ...at, config: { 'lanes.count': 3 } }))
    page.asked.length = 0
    page.kept.length = 0
    return page
  }
  const said = ({ stores }: Awaited<ReturnType<typeof open>>) => stores.notice.getState().notice?.message

  it('is followed to its new name, with what is not saved yet', async () => {
    const page = await open()
    await page.session.onGone('b', 'c')
    expect(page.kept).toEqual(['keep c', 'drop b', 'drop c'])
    expect(page.stores.project.getState().projectId).toBe('c')
    expect(said(page)).toContain('called “c” now')
    expect(page.asked).toContainEqual({ type: 'list-projects' })
  })

  it('is closed when it was deleted, what is not saved kept for when it comes back', async () => {
    const page = await open()
    await page.session.onGone('b', null)
    expect(page.kept).toEqual(['keep b'])
    expect(page.stores.project.getState().projectId).toBeNull()
    expect(said(page)).toContain('in the trash')
  })

  it('is none of this page’s business when another one is open', async () => {
    const page = await open()
    await page.session.onGone('x', null)
    expect(page.kept).toEqual([])
    expect(page.stores.project.getState().projectId).toBe('b')
    expect(page.asked).toContainEqual({ type: 'list-projects' })
  })
})
