import { z } from 'zod'
import {
  base,
  codeRef,
  durationMs,
  emit,
  grouping,
  identifier,
  kafkaName,
  serdeRef,
  sideDeclaration,
  windows,
} from './schemaParts.js'

export { builtInSerde, serdeRef } from './schemaParts.js'

/** The newest form that this version reads and writes. */
export const FORMAT_VERSION = 1

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
    /**
     * There when it is read as a table: the newest value of each key, in this store. One topic then. A global one holds
     * all of the topic wherever it is read, and only streams are joined with it.
     */
    table: z.strictObject({ storeName: kafkaName, global: z.literal(true).optional() }).optional(),
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
    op: z.enum(['filter', 'filter-not', 'map-values', 'map', 'flat-map-values', 'flat-map', 'select-key', 'peek']),
    /** (key, value), but for `map-values` and `flat-map-values`: (value, key). */
    code: codeRef,
  }),
})

/** Several streams as one; its inputs in the order of their edges. */
const mergeNode = z.strictObject({ ...base, kind: z.literal('merge'), properties: z.strictObject({}) })

/** Sends each record into the first branch whose function holds. Which branch an edge takes stands on the edge. */
const branchNode = z.strictObject({
  ...base,
  kind: z.literal('branch'),
  properties: z.strictObject({
    /** In the order in which they are asked. A branch's node is called as this one, a dash, and its name. */
    branches: z.array(z.strictObject({ name: kafkaName, code: codeRef })),
    /** The branch of what no other takes; absent: that goes nowhere. */
    defaultBranch: kafkaName.optional(),
  }),
})

/** Sends records to the lane of their key as it is here. */
const repartitionNode = z.strictObject({
  ...base,
  kind: z.literal('repartition'),
  properties: z.strictObject({
    /** Absent: as the stream carries it. */
    key: serdeRef.optional(),
    value: serdeRef.optional(),
    numberOfLanes: z.number().int().positive().optional(),
  }),
})

/** Takes the records of a stream as the rows of a table: the newest value of each key, in this store. */
const toTableNode = z.strictObject({
  ...base,
  kind: z.literal('to-table'),
  properties: z.strictObject({
    storeName: kafkaName,
    /** How rows are kept, and cross where their key changed in front of it; absent: as the stream carries them. */
    key: serdeRef.optional(),
    value: serdeRef.optional(),
  }),
})

const countNode = z.strictObject({ ...base, kind: z.literal('count'), properties: z.strictObject(grouping) })

const windowedCountNode = z.strictObject({
  ...base,
  kind: z.literal('windowed-count'),
  properties: z.strictObject({
    ...grouping,
    sizeMs: z.number().int().positive(),
    graceMs: durationMs,
    /** How far apart windows start; absent: their size, so that they do not overlap. */
    advanceMs: z.number().int().positive().optional(),
    retentionMs: durationMs.optional(),
    emit,
  }),
})

const sessionCountNode = z.strictObject({
  ...base,
  kind: z.literal('session-count'),
  properties: z.strictObject({
    ...grouping,
    gapMs: durationMs,
    graceMs: durationMs,
    retentionMs: durationMs.optional(),
    emit,
  }),
})

const slidingCountNode = z.strictObject({
  ...base,
  kind: z.literal('sliding-count'),
  properties: z.strictObject({
    ...grouping,
    /** The most that the times of two records of one window differ by. */
    differenceMs: z.number().int().positive(),
    graceMs: durationMs,
    retentionMs: durationMs.optional(),
    emit,
  }),
})

/** Combines the values of each key, or of each key and window, two at a time. */
const reduceNode = z.strictObject({
  ...base,
  kind: z.literal('reduce'),
  properties: z.strictObject({
    ...grouping,
    /** (aggregate, value): the next aggregate. */
    code: codeRef,
    windows: windows.optional(),
    retentionMs: durationMs.optional(),
    emit,
  }),
})

const aggregating = {
  /** (): what the first record of a key, or of a key and window, is added to. */
  initializer: codeRef,
  /** (key, one, other): what two sessions that become one come to. Needed there alone. */
  merger: codeRef.optional(),
  /** How aggregates are written; absent: by the default. */
  aggregateSerde: serdeRef.optional(),
  windows: windows.optional(),
  retentionMs: durationMs.optional(),
}

/** Adds each record to the aggregate of its key, or of its key and window. */
const aggregateNode = z.strictObject({
  ...base,
  kind: z.literal('aggregate'),
  properties: z.strictObject({
    ...grouping,
    ...aggregating,
    /** (key, value, aggregate): the next aggregate. */
    code: codeRef,
    emit,
  }),
})

/** Several streams of one type of key, aggregated together. How each one's records are added stands on its edge. */
const cogroupNode = z.strictObject({
  ...base,
  kind: z.literal('cogroup'),
  properties: z.strictObject({ storeName: kafkaName, key: serdeRef.optional(), ...aggregating }),
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
    of: z.enum(['stream-stream', 'stream-table', 'table-table', 'foreign-key', 'stream-global']),
    how: z.enum(['inner', 'left', 'outer']),
    /** (left, right): what comes out. */
    code: codeRef,
    /**
     * Finds the key to look up on the right. Foreign key, in a row of the left table: (value, key); null where it has
     * none. Global table, in a record of the stream: (key, value).
     */
    selector: codeRef.optional(),
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
  branchNode,
  repartitionNode,
  toTableNode,
  countNode,
  windowedCountNode,
  sessionCountNode,
  slidingCountNode,
  reduceNode,
  aggregateNode,
  cogroupNode,
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
  /** Of an edge out of a branch node: the name of the branch whose records it takes. */
  branch: kafkaName.optional(),
  /** Of an edge into a cogroup, (key, value, aggregate): how its records are added. */
  aggregator: codeRef.optional(),
  /** Of an edge into a cogroup: Grouped value serde, for a key that changed in front of it; absent: the source's. */
  value: serdeRef.optional(),
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
export type BranchNode = z.infer<typeof branchNode>
export type RepartitionNode = z.infer<typeof repartitionNode>
export type ToTableNode = z.infer<typeof toTableNode>
export type ReduceNode = z.infer<typeof reduceNode>
export type AggregateNode = z.infer<typeof aggregateNode>
export type CogroupNode = z.infer<typeof cogroupNode>
export type NodeWindows = z.infer<typeof windows>
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
