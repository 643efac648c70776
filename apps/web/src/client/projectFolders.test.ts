import { describe, expect, it } from 'vitest'
import { aDocument } from '../model/fixtures.js'
import { createStores } from '../store/AppStores.js'
import { RequestError } from './AgentClient.js'
import { createProjectFolders } from './projectFolders.js'

function page(refused?: string) {
  const stores = createStores({ now: () => 0 })
  stores.project.getState().open({ id: 'mine', revision: 1, document: aDocument([]), files: {}, config: {} })
  const asked: string[] = []
  const request = async (type: string, body: { readonly [field: string]: unknown }) => {
    asked.push([type, ...Object.values(body)].join(' '))
    if (type === refused) throw new RequestError({ code: 'RUN_ACTIVE', kind: 'user', message: 'it runs', context: {} })
    if (type === 'delete-project') return { trashId: 'mine.1' }
    return { projectId: type === 'duplicate-project' ? 'mine-2' : 'mine' }
  }
  const session = {
    flush: async () => void asked.push('flush'),
    openProject: async (id: string) => void asked.push(`open ${id}`),
    refreshLists: async () => void asked.push('refresh'),
  }
  const folders = createProjectFolders({ client: { request } as never, stores, session })
  return { folders, asked, notice: () => stores.notice.getState().notice }
}

describe('a project as a whole', () => {
  it('is saved before it moves, when it is the open one', async () => {
    const { folders, asked } = page()
    await folders.rename('mine', 'ours')
    await folders.rename('other', 'theirs')
    expect(asked).toEqual(['flush', 'rename-project mine ours', 'rename-project other theirs'])
  })

  it('is copied as it is now; the copy of the open one is opened', async () => {
    const { folders, asked, notice } = page()
    await folders.duplicate('mine')
    expect(asked).toEqual(['flush', 'duplicate-project mine', 'refresh', 'open mine-2'])
    expect(notice()?.message).toContain('“mine-2” is a copy of “mine”')
    asked.length = 0
    await folders.duplicate('other')
    expect(asked).toEqual(['duplicate-project other', 'refresh'])
  })

  it('comes back out of the trash by the offer that stands after deleting it, and opens if it was open', async () => {
    const { folders, asked, notice } = page()
    await folders.remove('mine')
    expect(notice()).toMatchObject({ message: '“mine” is in the trash.', act: { label: 'Undo' } })
    notice()?.act?.run()
    await new Promise((resolve) => setImmediate(resolve))
    expect(asked).toEqual(['flush', 'delete-project mine', 'restore-project mine.1', 'refresh', 'open mine'])
    asked.length = 0
    await folders.remove('other')
    notice()?.act?.run()
    await new Promise((resolve) => setImmediate(resolve))
    expect(asked).toEqual(['delete-project other', 'restore-project mine.1', 'refresh'])
  })

  it('is left alone when the agent refuses, which is for whoever asked to say', async () => {
    const { folders, notice } = page('delete-project')
    await expect(folders.remove('mine')).rejects.toThrow('it runs')
    expect(notice()).toBeNull()
  })
})
