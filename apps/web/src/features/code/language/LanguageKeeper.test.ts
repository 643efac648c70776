import { ManualClock } from '@lanescope/core'
import { describe, expect, it } from 'vitest'
import type { CodeDiagnostic } from '../../../model/CodeDiagnostic.js'
import { editFile } from '../../../model/commands/files.js'
import { emptyDocument } from '../../../model/Workspace.js'
import { createFindingsStore } from '../../../store/findingsStore.js'
import { createProjectStore } from '../../../store/projectStore.js'
import type { LanguagePort } from './LanguageClient.js'
import { LanguageKeeper } from './LanguageKeeper.js'
import type { LanguageCall, LanguageReply } from './protocol.js'

class FakeWorker implements LanguagePort {
  readonly calls: LanguageCall[] = []
  onmessage: LanguagePort['onmessage'] = null
  postMessage(call: LanguageCall) {
    this.calls.push(call)
  }
  terminate() {
    this.onmessage = null
  }
  reply(reply: LanguageReply) {
    this.onmessage?.({ data: reply } as MessageEvent<LanguageReply>)
  }
  types() {
    return this.calls.map(({ type }) => type)
  }
}

const document = {
  ...emptyDocument('test'),
  nodes: [
    {
      id: 'sum',
      name: 'sum',
      kind: 'processor' as const,
      position: { x: 0, y: 0 },
      properties: { code: { module: './sum', export: 'Sum' }, timers: [], stores: [] },
    },
  ],
}

function setUp() {
  const clock = new ManualClock()
  const project = createProjectStore(clock)
  const findings = createFindingsStore()
  const worker = new FakeWorker()
  project.getState().open({ id: 'p', revision: 1, document, files: { 'sum.ts': '1' }, config: {} })
  const keeper = new LanguageKeeper({ project, findings }, clock, () => worker)
  const type = (text: string) => project.getState().edit('Edit', (workspace) => editFile(workspace, 'sum.ts', text))
  return { clock, project, findings, worker, keeper, type }
}

const diagnostic = (message: string, code = 2322): CodeDiagnostic => ({
  path: 'sum.ts',
  from: 0,
  to: 1,
  line: 1,
  column: 1,
  severity: 'error',
  message,
  code,
})

describe('LanguageKeeper', () => {
  it('asks for nothing before the code is looked at', () => {
    const { worker, type } = setUp()
    type('2')
    expect(worker.calls).toEqual([])
  })

  it('sends every change at once, with what is generated, and checks after a pause', () => {
    const { worker, keeper, type, clock } = setUp()
    keeper.client()
    type('2')
    expect(worker.types()).toEqual(['sync', 'sync'])
    expect(worker.calls.at(-1)).toMatchObject({ files: { 'sum.ts': '2', 'topology.ts': expect.any(String) } })
    clock.advance(249)
    expect(worker.types()).not.toContain('check')
    clock.advance(1)
    expect(worker.calls.at(-1)).toMatchObject({ type: 'check', paths: ['sum.ts'] })
  })

  it('tells errors as problems of the node, and drops an answer that was overtaken', async () => {
    const { worker, keeper, type, clock, findings } = setUp()
    keeper.client()
    clock.advance(250)
    const first = worker.calls.at(-1)!.id
    type('3')
    clock.advance(250)
    const second = worker.calls.at(-1)!.id
    worker.reply({ id: second, ok: true, result: [diagnostic('new')] })
    worker.reply({ id: first, ok: true, result: [diagnostic('old')] })
    await Promise.resolve()
    expect(findings.getState().code?.map(({ message }) => message)).toEqual(['new'])
  })
})
