import type { SourceNode, TopologyDocument } from '@lanescope/shared'
import { expect, it } from 'vitest'
import { emptyDocument } from '../model/Workspace.js'
import { createStores } from '../store/AppStores.js'
import { cannotRun, forgetRefusals, startOrSay } from './cannotRun.js'

const source = (id: string, ...topics: string[]): SourceNode => ({
  id,
  name: id,
  kind: 'source',
  position: { x: 0, y: 0 },
  properties: {
    topics,
    keyType: 'string',
    valueType: 'string',
    key: { form: 'default' },
    value: { form: 'default' },
  },
})
const drawing = (...nodes: SourceNode[]): TopologyDocument => ({ ...emptyDocument('mine'), nodes })

function page(document: TopologyDocument) {
  const stores = createStores({ now: () => 0 })
  stores.project.getState().open({ id: 'p', revision: 1, document, files: {}, config: {} })
  const did: unknown[] = []
  const start = async (...args: unknown[]) => void did.push(['start', ...args])
  const services = { run: { start } as never, notify: (...args: unknown[]) => void did.push(['say', ...args]) }
  return { stores, services, did }
}

it('says what a drawing still needs before it can run', () => {
  expect(cannotRun(drawing())).toBe('There is nothing to run yet: add a source.')
  expect(cannotRun(drawing(source('a')))).toBe('"a" reads no topic yet: name one.')
  expect(cannotRun(drawing(source('a'), source('b')))).toBe('"a" reads no topic yet: name one. 1 more in Problems.')
  expect(cannotRun(drawing(source('a', 'events')))).toBeNull()
})

it('starts what can run, and asks nobody to start what cannot', async () => {
  const whole = page(drawing(source('a', 'events')))
  await startOrSay(whole.stores, whole.services, { overrides: { 'lanes.count': 2 }, fromBeginning: true })
  expect(whole.did).toEqual([['start', { 'lanes.count': 2 }, true]])
  const undone = page(drawing(source('a')))
  await startOrSay(undone.stores, undone.services)
  expect(undone.did).toEqual([['say', '"a" reads no topic yet: name one.', 'caution']])
})

it('forgets why a run was refused with the next edit, and not with saving', () => {
  const { stores } = page(drawing())
  forgetRefusals(stores)
  const error = { code: 'PROJECT_CODE', kind: 'user', message: 'no', context: {} } as const
  stores.run.getState().setRefusal(error)
  stores.project.getState().markSaving()
  expect(stores.run.getState().refusal).toBe(error)
  stores.project.getState().edit('Add', (at) => ({ ...at, document: drawing(source('a', 'events')) }))
  expect(stores.run.getState().refusal).toBeNull()
})
