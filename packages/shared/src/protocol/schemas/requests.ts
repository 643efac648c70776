import { z } from 'zod'
import type { TopologyDocument } from '../../document/TopologyDocument.js'
import { count, fields, hex, topic, whole } from './wire.js'

const id = z.number().int().nonnegative()
const name = z.string().min(1)

/** A document is read by `checkDocument`, which says more about it than a schema can. */
const document = z.custom<TopologyDocument>((value) => typeof value === 'object' && value !== null)

export const request = z.discriminatedUnion('type', [
  z.strictObject({ id, type: z.literal('list-projects') }),
  z.strictObject({ id, type: z.literal('list-examples') }),
  z.strictObject({ id, type: z.literal('open-project'), projectId: name }),
  z.strictObject({ id, type: z.literal('create-project'), name }),
  z.strictObject({ id, type: z.literal('open-example'), exampleId: name, fresh: z.boolean().exactOptional() }),
  z.strictObject({ id, type: z.literal('rename-project'), projectId: name, name }),
  z.strictObject({ id, type: z.literal('duplicate-project'), projectId: name }),
  z.strictObject({ id, type: z.literal('delete-project'), projectId: name }),
  z.strictObject({ id, type: z.literal('restore-project'), trashId: name }),
  z.strictObject({
    id,
    type: z.literal('save-project'),
    projectId: name,
    baseRevision: count,
    document: document.exactOptional(),
    files: z.record(z.string(), z.string()).exactOptional(),
    deletedFiles: z.array(z.string()).exactOptional(),
    config: fields.exactOptional(),
  }),
  z.strictObject({
    id,
    type: z.literal('start-run'),
    projectId: name,
    overrides: fields,
    generators: z.boolean(),
    fromBeginning: z.boolean().exactOptional(),
  }),
  z.strictObject({ id, type: z.literal('stop-run'), runId: name }),
  z.strictObject({ id, type: z.literal('watch-run'), runId: name }),
  z.strictObject({ id, type: z.literal('unwatch-run'), runId: name }),
  z.strictObject({ id, type: z.literal('list-runs') }),
  z.strictObject({ id, type: z.literal('list-topics'), projectId: name }),
  z.strictObject({ id, type: z.literal('create-topics'), projectId: name, topics: z.array(topic) }),
  z.strictObject({
    id,
    type: z.literal('read-topic'),
    projectId: name,
    topic: name,
    partition: count,
    fromOffset: count,
    max: count,
  }),
  z.strictObject({
    id,
    type: z.literal('produce'),
    projectId: name,
    topic: name,
    partition: z.number().int().min(-1),
    key: hex.nullable(),
    value: hex.nullable(),
    timestamp: whole,
  }),
  z.strictObject({ id, type: z.literal('preview-future'), runId: name, source: name, timestamp: whole }),
  z.strictObject({ id, type: z.literal('reset-log'), projectId: name }),
])
