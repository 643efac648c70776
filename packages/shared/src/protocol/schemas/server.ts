import { z } from 'zod'
import { topologyDocument } from '../../document/TopologyDocument.js'
import type { RequestType } from '../messages.js'
import { runFrame } from './frame.js'
import { blast, count, fields, hex, logKind, runSummary, topic, whole, wireError } from './wire.js'

const project = z.strictObject({
  id: z.string(),
  revision: count,
  document: topologyDocument,
  files: z.record(z.string(), z.string()),
  config: fields,
})

const record = z.strictObject({
  topic: z.string(),
  partition: count,
  offset: count,
  timestamp: whole,
  key: hex.nullable(),
  value: hex.nullable(),
  headers: z.array(z.tuple([z.string(), hex.nullable()])),
})

const opened = z.strictObject({ project, run: runSummary.nullable() })
const run = z.strictObject({ run: runSummary })

/** What each request is answered with. */
export const replies = {
  'list-projects': z.strictObject({
    projects: z.array(z.strictObject({ id: z.string(), name: z.string(), nodes: count, changedAt: whole })),
  }),
  'list-examples': z.strictObject({
    examples: z.array(z.strictObject({ id: z.string(), title: z.string(), description: z.string() })),
  }),
  'open-project': opened,
  'create-project': z.strictObject({ project }),
  'open-example': opened,
  'rename-project': z.strictObject({ projectId: z.string() }),
  'duplicate-project': z.strictObject({ projectId: z.string() }),
  'delete-project': z.strictObject({ trashId: z.string() }),
  'restore-project': z.strictObject({ projectId: z.string() }),
  'save-project': z.strictObject({ revision: count }),
  'start-run': run,
  'stop-run': run,
  'watch-run': run,
  'unwatch-run': z.strictObject({ watched: z.literal(false) }),
  'list-runs': z.strictObject({ runs: z.array(runSummary) }),
  'list-topics': z.strictObject({ topics: z.array(topic), log: logKind }),
  'create-topics': z.strictObject({ created: z.array(z.string()) }),
  'read-topic': z.strictObject({ records: z.array(record), nextOffset: count, end: count }),
  produce: z.strictObject({ partition: count, offset: count }),
  'preview-future': z.strictObject({
    blast,
    atOnce: blast.exactOptional(),
    wouldBe: z.enum(['passed', 'warned', 'rejected', 'fatal']),
    boundMs: z.number(),
    referenceClock: z.number(),
  }),
  'reset-log': z.strictObject({ cleared: z.literal(true) }),
} satisfies { readonly [T in RequestType]: z.ZodType }

const reply = { type: z.literal('reply'), id: count }

export const serverMessage = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('hello'),
    protocol: count,
    version: z.string(),
    log: z.discriminatedUnion('kind', [
      z.strictObject({ kind: z.literal('embedded') }),
      z.strictObject({ kind: z.literal('kafka'), bootstrapServers: z.string() }),
    ]),
    projectsFolder: z.string(),
  }),
  z.strictObject({
    type: z.literal('project-changed'),
    projectId: z.string(),
    revision: count,
    by: z.enum(['disk', 'page']),
  }),
  z.strictObject({
    type: z.literal('project-gone'),
    projectId: z.string(),
    renamedTo: z.string().nullable(),
  }),
  z.strictObject({ type: z.literal('projects-changed') }),
  z.strictObject({ type: z.literal('run-state'), run: runSummary }),
  z.strictObject({ type: z.literal('frame'), frame: runFrame }),
  z.discriminatedUnion('ok', [
    // Which reply it is, only the request of this id tells: `parseReply` looks closer.
    z.strictObject({ ...reply, ok: z.literal(true), result: z.union(Object.values(replies)) }),
    z.strictObject({ ...reply, ok: z.literal(false), error: wireError }),
  ]),
])
