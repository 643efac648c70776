import * as core from '@lanescope/core'
import { beforeAll, describe, expect, it } from 'vitest'
import { documentOf, jsonOf, nodeOf, sink, source } from '../../test/documents.js'
import type { TopologyDocument } from '../document/TopologyDocument.js'
import { providePackages } from '../loader/index.js'
import { isFollowUp } from './followUps.js'
import { Analyser } from './index.js'

const packages = new Map<string, object>([['@lanescope/core', core]])
beforeAll(() => providePackages(globalThis, packages))

const code = { module: './work', export: 'add' }
const FILES = { 'work.ts': 'export const add = (value: unknown) => value\n', 'model.ts': 'export interface Event {}\n' }

async function analyse(document: TopologyDocument) {
  const analyser = new Analyser({
    packages,
    createUrl: (text) => `data:text/javascript,${encodeURIComponent(text)}`,
    revokeUrl: () => undefined,
    importUrl: (url) => import(/* @vite-ignore */ url),
    now: () => 0,
  })
  const config = { 'application.id': 'test', 'default.key.serde': 'string', 'default.value.serde': 'json' }
  const { findings, problems, leftOut, view } = await analyser.analyse({ document, files: FILES, config })
  return {
    rules: findings.map(({ rule, nodeId }) => `${rule} ${nodeId}`),
    fields: problems.map(({ nodeId, field, severity }) => `${severity} ${nodeId}.${field}`),
    leftOut,
    drawn: view.nodes.map(({ nodeId }) => nodeId),
  }
}

const join = nodeOf('join', 'both', { of: 'stream-stream', how: 'inner', code, beforeMs: 1_000, graceMs: 1_000 })
const mapped = nodeOf('transform', 'mapped', { op: 'map-values', code })

describe('[V9] what is wired to an unfinished node', () => {
  it('is not said to hand its records to nobody: the side that is missing is the finding', async () => {
    const { rules, fields, leftOut } = await analyse(documentOf([source('orders'), join], ['orders > both']))
    expect([rules, fields, leftOut]).toEqual([[], ['error both.edges'], ['both']])
  })

  it('is not said to give results that nobody takes', async () => {
    const nodes = [source('orders'), mapped, join]
    expect((await analyse(documentOf(nodes, ['orders > mapped > both']))).rules).toEqual([])
  })

  it('nor where the code of the node behind it is missing', async () => {
    const serde = { kind: 'custom', code: { module: './gone', export: 'serde' } } as const
    const document = documentOf([source('orders'), sink('out', { value: serde })], ['orders > out'])
    expect(await analyse(document)).toMatchObject({ rules: [], leftOut: ['out'] })
  })

  it('still is where no edge leads on, and for a node that has nothing to do with it', async () => {
    const nodes = [source('alone'), source('orders'), nodeOf('transform', 'last', mapped.properties), join]
    const { rules } = await analyse(documentOf(nodes, ['orders > last', 'orders > both']))
    expect(rules.toSorted()).toEqual(['dangling-sink last', 'unreachable-node alone'])
  })
})

it('a finding of another rule, and one whose next node is there, stand by themselves', () => {
  const { edges } = documentOf([], ['a > b'])
  expect(isFollowUp({ rule: 'dangling-sink', nodeId: 'a' }, { edges }, new Set(['a']))).toBe(true)
  expect(isFollowUp({ rule: 'dangling-sink', nodeId: 'a' }, { edges }, new Set(['a', 'b']))).toBe(false)
  expect(isFollowUp({ rule: 'missing-serde', nodeId: 'a' }, { edges }, new Set(['a']))).toBe(false)
})

describe('a type that is none', () => {
  it('is an error of its node and field, and keeps nothing from being drawn', async () => {
    const value = { form: 'serde', serde: jsonOf('not a type!') } as const
    const nodes = [source('orders', { valueType: 'not a type!', value }), sink('out')]
    const { fields, drawn } = await analyse(documentOf(nodes, ['orders > out']))
    expect(fields).toEqual(['error orders.valueType'])
    expect(drawn).toEqual(['orders', 'out'])
  })
})
