import type { RareEvent, RunFrame } from '@lanescope/shared'
import { describe, expect, it } from 'vitest'
import { renameNode } from '../model/commands/nodes.js'
import { aDocument, aSource } from '../model/fixtures.js'
import { withDocument } from '../model/Workspace.js'
import { createProjectStore } from './projectStore.js'
import { createRunStore, MAX_RARE } from './runStore.js'
import { createViewStore, INITIAL_VIEW } from './viewStore.js'
import { formatLink, parseLink } from './viewUrl.js'

const project = { id: 'p', revision: 1, document: aDocument([aSource('in')]), files: {}, config: {} }
const rename = (to: string) => (workspace: Parameters<typeof withDocument>[0]) =>
  withDocument(workspace, (document) => renameNode(document, 'in', to))

describe('project store', () => {
  it('says what is saved, through edits, undo and redo', () => {
    const store = createProjectStore({ now: () => 0 })
    expect(store.getState().saveState).toBe('nothing')
    store.getState().open(project)
    expect(store.getState().saveState).toBe('saved')
    store.getState().edit('Rename', rename('x'))
    expect([store.getState().saveState, store.getState().undoLabel]).toEqual(['unsaved', 'Rename'])
    store.getState().undo()
    expect([store.getState().saveState, store.getState().redoLabel]).toEqual(['saved', 'Rename'])
    store.getState().redo()
    expect(store.getState().workspace.document.nodes[0]?.name).toBe('x')
  })

  it('stays unsaved when an edit came while the last was on its way', () => {
    const store = createProjectStore({ now: () => 0 })
    store.getState().open(project)
    store.getState().edit('Rename', rename('x'))
    const sent = store.getState().workspace
    store.getState().edit('Rename', rename('y'))
    store.getState().markSaved(sent, 2)
    expect([store.getState().saveState, store.getState().revision]).toEqual(['unsaved', 2])
    store.getState().markSaved(store.getState().workspace, 3)
    expect(store.getState().saveState).toBe('saved')
  })

  it('keeps a dispute until it is settled', () => {
    const store = createProjectStore({ now: () => 0 })
    store.getState().open(project)
    store.getState().markNotSaved('conflict', 'both')
    store.getState().edit('Rename', rename('x'))
    expect(store.getState().saveState).toBe('conflict')
    const theirs = { document: project.document, files: {}, config: {} }
    store.getState().takeFromDisk(theirs, theirs, 4)
    expect([store.getState().saveState, store.getState().undoLabel]).toEqual(['saved', 'Rename'])
  })

  it('opens with edits that never reached the disk', () => {
    const store = createProjectStore({ now: () => 0 })
    store.getState().open(project, { ...project, config: { a: 1 } })
    expect([store.getState().saveState, store.getState().workspace.config]).toEqual(['unsaved', { a: 1 }])
  })
})

describe('view store', () => {
  it('shows a node or a finding, and takes both back', () => {
    const store = createViewStore()
    store.getState().selectNodes(['a'])
    expect(store.getState().panel).toBe('node')
    store.getState().selectFinding('f', 'b')
    expect([store.getState().panel, store.getState().selection]).toEqual(['finding', ['b']])
    store.getState().selectNodes([])
    expect([store.getState().panel, store.getState().findingId]).toEqual([null, null])
  })

  it('gives Design its drawer back after the charts of a run made it tall', () => {
    const store = createViewStore()
    store.getState().set({ drawerHeight: 200 })
    store.getState().set({ mode: 'live', tab: 'timers', drawerHeight: 430 })
    store.getState().set({ drawerHeight: 440 })
    store.getState().set({ mode: 'design' })
    expect([store.getState().tab, store.getState().drawerHeight]).toEqual(['problems', 200])
    store.getState().set({ mode: 'design', drawerHeight: 300 })
    expect(store.getState().drawerHeight).toBe(300)
  })

  it('keeps a tab that says as much in Design, and one of a run that Design had', () => {
    const store = createViewStore()
    store.getState().set({ mode: 'live', tab: 'lanes' })
    store.getState().openTab('code')
    store.getState().set({ mode: 'design' })
    expect(store.getState().tab).toBe('code')
    store.getState().openTab('log')
    store.getState().set({ mode: 'live', tab: 'lanes' })
    store.getState().set({ mode: 'design' })
    expect(store.getState().tab).toBe('lanes')
  })

  it('lets go of a project, and keeps how the page is laid out', () => {
    const store = createViewStore({ theme: 'light' })
    store.getState().set({ mode: 'live', tab: 'segments', search: 'x', edge: 'e', renaming: 'a', drawerOpen: false })
    store.getState().selectFinding('f', 'a')
    store.getState().openCode({ path: 'a.ts' })
    store.getState().setParam('proof-key', 'k0')
    store.getState().set({ drawerOpen: false })
    store.getState().leaveProject()
    const { drawerHeight, theme, drawerOpen } = store.getState()
    expect(store.getState()).toMatchObject({ ...INITIAL_VIEW, drawerHeight, theme, drawerOpen })
    expect([theme, drawerOpen]).toEqual(['light', false])
  })

  it('puts the finding of Design away when a run is looked at, and keeps one that is opened in Live', () => {
    const store = createViewStore()
    store.getState().selectFinding('f', 'a')
    store.getState().set({ mode: 'live' })
    expect([store.getState().findingId, store.getState().selection, store.getState().panel]).toEqual([
      null,
      ['a'],
      'node',
    ])
    store.getState().selectFinding('f', 'a')
    store.getState().set({ mode: 'live' })
    expect(store.getState().findingId).toBe('f')
  })

  it('keeps parameters of tabs until they are null', () => {
    const store = createViewStore()
    store.getState().setParam('key', 'k0')
    store.getState().setParam('other', '1')
    store.getState().setParam('key', null)
    expect(store.getState().params).toEqual({ other: '1' })
  })
})

describe('links', () => {
  it('carry what is looked at, and are read back', () => {
    const view = {
      ...INITIAL_VIEW,
      mode: 'live' as const,
      selection: ['a', 'b'],
      findingId: 'rule:in:a',
      tab: 'lanes' as const,
      drawerOpen: false,
      code: { path: 'a.ts', line: 7 },
      search: 'x y',
      params: { key: 'k&0' },
    }
    const link = formatLink('p', view)
    const { project: id, view: read } = parseLink(link)
    expect(id).toBe('p')
    expect(read).toEqual({
      mode: 'live',
      selection: ['a', 'b'],
      findingId: 'rule:in:a',
      panel: 'finding',
      tab: 'lanes',
      drawerOpen: false,
      code: { path: 'a.ts', line: 7 },
      search: 'x y',
      params: { key: 'k&0' },
    })
  })

  it('say nothing of what is as it starts', () => {
    expect(formatLink(null, INITIAL_VIEW)).toBe('')
    expect(formatLink('p', INITIAL_VIEW)).toBe('?project=p')
  })

  it('leave out what they do not understand', () => {
    expect(parseLink('?mode=simulate&tab=nope&file=a.ts').view).toEqual({ code: { path: 'a.ts' }, params: {} })
  })
})

describe('run store', () => {
  const rare = (n: number): RareEvent => ({ n, at: 0, type: 'log', level: 'info', message: `${n}` })
  const frame = (seq: number, events: readonly RareEvent[] = [], runId = 'r') =>
    ({ runId, seq, rare: events }) as unknown as RunFrame

  it('keeps every rare event once, in order', () => {
    const store = createRunStore()
    store.getState().takeFrame(frame(1, [rare(1), rare(2)]), 10)
    store.getState().takeFrame(frame(4, [rare(2), rare(3)]), 20)
    expect(store.getState().rare.map((event) => event.n)).toEqual([1, 2, 3])
    expect([store.getState().frameAt, store.getState().previous?.seq]).toEqual([20, 1])
  })

  it('ignores a frame that is not newer', () => {
    const store = createRunStore()
    store.getState().takeFrame(frame(2), 10)
    store.getState().takeFrame(frame(2, [rare(1)]), 20)
    store.getState().takeFrame(frame(1, [rare(1)]), 30)
    expect([store.getState().frameAt, store.getState().rare]).toEqual([10, []])
  })

  it('starts over with another run', () => {
    const store = createRunStore()
    store.getState().takeFrame(frame(5, [rare(1)]), 10)
    store.getState().takeFrame(frame(1, [rare(1)], 'next'), 20)
    expect([store.getState().frame?.runId, store.getState().previous, store.getState().rare.length]).toEqual([
      'next',
      null,
      1,
    ])
  })

  it('forgets the oldest rare events and says how many', () => {
    const store = createRunStore()
    store.getState().takeFrame(
      frame(
        1,
        Array.from({ length: MAX_RARE + 3 }, (_, i) => rare(i + 1)),
      ),
      0,
    )
    expect([store.getState().rare.length, store.getState().rare[0]?.n, store.getState().rareForgotten]).toEqual([
      MAX_RARE,
      4,
      3,
    ])
  })
})
