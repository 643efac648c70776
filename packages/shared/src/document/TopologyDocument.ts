import { z } from 'zod'

/** The newest form that this version reads and writes. */
export const FORMAT_VERSION = 1

const identifier = z.string().regex(/^[a-z0-9][a-z0-9-]*$/, 'an id is lower-case letters, digits and dashes')

/** Kafka's rule for names of topics, stores and nodes (`kafka-streams.md` C.1). */
const kafkaName = z
  .string()
  .min(1, 'a name is needed')
  .max(249, 'a name has at most 249 characters')
  .regex(/^[A-Za-z0-9._-]+$/, 'a name is made of ASCII letters, digits, ".", "_" and "-"')
  .refine((name) => name !== '.' && name !== '..', 'a name is not "." or ".."')

/** Code of the user: a named export of a module under `src/`. */
const codeRef = z.strictObject({
  module: z.string().regex(/^\.\/[A-Za-z0-9_./-]+$/, 'a module is "./name", relative to src/'),
  export: z.string().regex(/^[A-Za-z_$][\w$]*$/, 'an export is a TypeScript identifier'),
})

export const builtInSerde = z.enum([
  'string',
  'long',
  'bigint',
  'integer',
  'short',
  'double',
  'float',
  'boolean',
  'byteArray',
  'bytes',
  'byteBuffer',
  'uuid',
  'void',
])

/** A serde as the document names it. `type` is a TypeScript type expression over `src/model.ts` names. */
export const serdeRef = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('built-in'), name: builtInSerde }),
  z.strictObject({ kind: z.literal('json'), type: z.string().min(1) }),
  z.strictObject({ kind: z.literal('custom'), code: codeRef }),
])

/** One side of a source: both directions, reading only, or left to the default. */
const sideDeclaration = z.discriminatedUnion('form', [
  z.strictObject({ form: z.literal('serde'), serde: serdeRef }),
  /** A built-in serde's reading half, or the user's own deserializer. */
  z.strictObject({
    form: z.literal('deserializer'),
    deserializer: z.discriminatedUnion('kind', [
      z.strictObject({ kind: z.literal('built-in'), name: builtInSerde }),
      z.strictObject({ kind: z.literal('json'), type: z.string().min(1) }),
      z.strictObject({ kind: z.literal('custom'), code: codeRef }),
    ]),
  }),
  z.strictObject({ form: z.literal('default') }),
])

const position = z.strictObject({ x: z.number(), y: z.number() })
const durationMs = z.number().int().nonnegative()
const base = { id: identifier, name: kafkaName, position, note: z.string().optional() }

const sourceNode = z.strictObject({
  ...base,
  kind: z.literal('source'),
  properties: z.strictObject({
    topics: z.array(kafkaName),
    /** TypeScript types of key and value, over `src/model.ts`. */
    keyType: z.string().min(1),
    valueType: z.string().min(1),
    key: sideDeclaration,
    value: sideDeclaration,
    /** F2: a bound declared on the source. */
    maxAheadMs: durationMs.optional(),
    numberOfLanes: z.number().int().positive().optional(),
    maxOutOfOrdernessMs: durationMs.optional(),
    timestampExtractor: codeRef.optional(),
    nulls: z.enum(['keep', 'drop']).optional(),
    /** There when it is read as a table: the newest value of each key, in this store. One topic then. */
    table: z.strictObject({ storeName: kafkaName }).optional(),
  }),
})

const processorNode = z.strictObject({
  ...base,
  kind: z.literal('processor'),
  properties: z.strictObject({
    /** A class that implements Processor, constructed without arguments once a lane. */
    code: codeRef,
    timers: z.array(z.enum(['event-time', 'processing-time'])),
    /** Ids of `stores`. */
    stores: z.array(identifier),
    sameKey: z.boolean().optional(),
    sync: z.boolean().optional(),
  }),
})

/** One function of the user's, once a record: it keeps, changes, re-keys or looks at what passes. */
const transformNode = z.strictObject({
  ...base,
  kind: z.literal('transform'),
  properties: z.strictObject({
    op: z.enum(['filter', 'map-values', 'select-key', 'flat-map-values', 'peek']),
    /** `filter`, `select-key`, `peek`: (key, value); `map-values`, `flat-map-values`: (value, key). */
    code: codeRef,
  }),
})

/** Several streams as one; its inputs in the order of their edges. */
const mergeNode = z.strictObject({ ...base, kind: z.literal('merge'), properties: z.strictObject({}) })

const counting = {
  storeName: kafkaName,
  /** Grouped key serde; absent: the source's. */
  key: serdeRef.optional(),
  /** Grouped value serde, for a key that changed in front of it; absent: the source's. */
  value: serdeRef.optional(),
}

const countNode = z.strictObject({ ...base, kind: z.literal('count'), properties: z.strictObject(counting) })

const windowedCountNode = z.strictObject({
  ...base,
  kind: z.literal('windowed-count'),
  properties: z.strictObject({
    ...counting,
    sizeMs: z.number().int().positive(),
    graceMs: durationMs,
    /** How far apart windows start; absent: their size, so that they do not overlap. */
    advanceMs: z.number().int().positive().optional(),
    retentionMs: durationMs.optional(),
  }),
})

const sessionCountNode = z.strictObject({
  ...base,
  kind: z.literal('session-count'),
  properties: z.strictObject({
    ...counting,
    gapMs: durationMs,
    graceMs: durationMs,
    retentionMs: durationMs.optional(),
  }),
})

const slidingCountNode = z.strictObject({
  ...base,
  kind: z.literal('sliding-count'),
  properties: z.strictObject({
    ...counting,
    /** The most that the times of two records of one window differ by. */
    differenceMs: z.number().int().positive(),
    graceMs: durationMs,
    retentionMs: durationMs.optional(),
  }),
})

/** Holds updates of a table back: until their windows close, or for a time after the first. */
const suppressNode = z.strictObject({
  ...base,
  kind: z.literal('suppress'),
  properties: z.discriminatedUnion('until', [
    z.strictObject({ until: z.literal('window-closes') }),
    z.strictObject({ until: z.literal('time-limit'), waitMs: durationMs }),
  ]),
})

/** Two inputs by key. Which edge is which side stands on the edge. */
const joinNode = z.strictObject({
  ...base,
  kind: z.literal('join'),
  properties: z.strictObject({
    of: z.enum(['stream-stream', 'stream-table', 'table-table']),
    how: z.enum(['inner', 'left', 'outer']),
    /** (left, right): what comes out. */
    code: codeRef,
    /** Stream–stream: how much earlier, and later, than a left record a right one may be. */
    beforeMs: durationMs.optional(),
    afterMs: durationMs.optional(),
    graceMs: durationMs.optional(),
    /** Stream–stream: the two stores are named after it. */
    storeName: kafkaName.optional(),
    /** Serdes for a key that changed in front of it, and for what waits; absent: as the sources declare. */
    key: serdeRef.optional(),
    leftValue: serdeRef.optional(),
    rightValue: serdeRef.optional(),
  }),
})

const writing = z.strictObject({
  topic: z.string(),
  /** Absent: as the stream carries it. */
  key: serdeRef.optional(),
  value: serdeRef.optional(),
})

/** Writes to a topic and goes on with what is read from it, by the same serdes. */
const throughNode = z.strictObject({ ...base, kind: z.literal('through'), properties: writing })

const sinkNode = z.strictObject({ ...base, kind: z.literal('sink'), properties: writing })

export const documentNode = z.discriminatedUnion('kind', [
  sourceNode,
  processorNode,
  transformNode,
  mergeNode,
  countNode,
  windowedCountNode,
  sessionCountNode,
  slidingCountNode,
  suppressNode,
  joinNode,
  throughNode,
  sinkNode,
])

const documentEdge = z.strictObject({
  id: identifier,
  from: identifier,
  to: identifier,
  /** Of an edge into a join: which input it is. */
  side: z.enum(['left', 'right']).optional(),
})

/** A state store, by itself, so that several processors may share it. */
const documentStore = z.strictObject({
  id: identifier,
  name: kafkaName,
  kind: z.enum(['key-value', 'window']),
  key: serdeRef,
  value: serdeRef,
  retentionMs: durationMs.optional(),
  windowSizeMs: durationMs.optional(),
})

/**
 * Writes test traffic to a topic. Keys and values are JSON values, written by the generator's own serdes,
 * as a foreign producer would. `{n}` in a key or in a string of the value becomes the record's number.
 */
const documentGenerator = z.strictObject({
  id: identifier,
  topic: kafkaName,
  partitions: z.number().int().positive(),
  key: serdeRef,
  value: serdeRef,
  phases: z
    .array(
      z.strictObject({
        /** 0: until stopped. */
        forMs: durationMs,
        ratePerSecond: z.number().positive(),
        /** Taken in turn, over and over. */
        keys: z.array(z.string()).min(1),
        /** How many records in a row a key gets before it is the next one's turn; absent: 1. */
        burst: z.number().int().positive().optional(),
      }),
    )
    .min(1),
  /** The value of each record; a JSON value. */
  template: z.json(),
  /** Where event time starts relative to now, and how fast it runs: 1 is real time. */
  time: z.strictObject({ startOffsetMs: z.number().int(), speed: z.number().positive() }).optional(),
})

/** Sample records of a source: for byte proofs, analysis and the generated test. Keys as raw bytes in hex. */
const sourceSamples = z.strictObject({
  keys: z.array(z.string().regex(/^([0-9a-f]{2})*$/, 'raw key bytes in lower-case hex')),
})

const suppression = z.strictObject({ rule: z.string(), node: identifier, reason: z.string().min(1) })

export const topologyDocument = z.strictObject({
  formatVersion: z.literal(FORMAT_VERSION),
  name: kafkaName,
  nodes: z.array(documentNode),
  edges: z.array(documentEdge),
  stores: z.array(documentStore),
  /** The module that holds the users' types. */
  types: z.strictObject({ module: z.literal('./model') }),
  /** By source node id. */
  samples: z.record(identifier, sourceSamples),
  generators: z.array(documentGenerator),
  suppressions: z.array(suppression),
})

export type TopologyDocument = z.infer<typeof topologyDocument>
export type DocumentNode = z.infer<typeof documentNode>
export type SourceNode = z.infer<typeof sourceNode>
export type ProcessorNode = z.infer<typeof processorNode>
export type TransformNode = z.infer<typeof transformNode>
export type MergeNode = z.infer<typeof mergeNode>
export type CountNode = z.infer<typeof countNode>
export type WindowedCountNode = z.infer<typeof windowedCountNode>
export type SessionCountNode = z.infer<typeof sessionCountNode>
export type SlidingCountNode = z.infer<typeof slidingCountNode>
export type SuppressNode = z.infer<typeof suppressNode>
export type JoinNode = z.infer<typeof joinNode>
export type ThroughNode = z.infer<typeof throughNode>
export type SinkNode = z.infer<typeof sinkNode>
export type DocumentEdge = z.infer<typeof documentEdge>
export type DocumentStore = z.infer<typeof documentStore>
export type DocumentGenerator = z.infer<typeof documentGenerator>
export type SerdeRef = z.infer<typeof serdeRef>
export type SideDeclaration = z.infer<typeof sideDeclaration>
export type CodeRef = z.infer<typeof codeRef>
