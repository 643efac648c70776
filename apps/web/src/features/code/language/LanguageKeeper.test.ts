import { ManualClock } from '@lanescope/core'
import { formatTopology, generateTopology } from '@lanescope/shared'
import { describe, expect, it, vi } from 'vitest'
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

async function asked(worker: FakeWorker, times: number): Promise<LanguageCall> {
  const checks = () => worker.calls.filter(({ type }) => type === 'check')
  await vi.waitFor(() => expect(checks()).toHaveLength(times), { timeout: 50_000 })
  return checks().at(-1) as LanguageCall
}

describe('LanguageKeeper', () => {
  it('asks for nothing before the code is looked at', () => {
    const { worker, type } = setUp()
    type('2')
    expect(worker.calls).toEqual([])
  })

  it('sends every change at once, with what is generated, and checks both after a pause', async () => {
    const { worker, keeper, type, clock } = setUp()
    keeper.client()
    type('2')
    expect(worker.types()).toEqual(['sync', 'sync'])
    expect(worker.calls.at(-1)).toMatchObject({ files: { 'sum.ts': '2', 'topology.ts': expect.any(String) } })
    clock.advance(249)
    expect(worker.types()).not.toContain('check')
    clock.advance(1)
    const check = await asked(worker, 1)
    expect(check).toMatchObject({ type: 'check', paths: ['sum.ts', 'topology.ts'] })
    const laidOut = await formatTopology(generateTopology(document))
    expect(worker.calls.at(-2)).toMatchObject({ type: 'sync', files: { 'topology.ts': laidOut.text } })
  })

  it('tells errors as problems of the node, and drops an answer that was overtaken', async () => {
    const { worker, keeper, type, clock, findings } = setUp()
    keeper.client()
    clock.advance(250)
    const first = (await asked(worker, 1)).id
    type('3')
    clock.advance(250)
    const second = (await asked(worker, 2)).id
    worker.reply({ id: second, ok: true, result: [diagnostic('new')] })
    worker.reply({ id: first, ok: true, result: [diagnostic('old')] })
    await vi.waitFor(() => expect(findings.getState().code).not.toBeNull(), { timeout: 50_000 })
    expect(findings.getState().code?.map(({ message }) => message)).toEqual(['new'])
  })
})
