import { z } from 'zod'

// What nodes, edges and stores of a document are made of.

export const identifier = z.string().regex(/^[a-z0-9][a-z0-9-]*$/, 'an id is lower-case letters, digits and dashes')

/** Kafka's rule for names of topics, stores and nodes (`kafka-streams.md` C.1). */
export const kafkaName = z
  .string()
  .min(1, 'a name is needed')
  .max(249, 'a name has at most 249 characters')
  .regex(/^[A-Za-z0-9._-]+$/, 'a name is made of ASCII letters, digits, ".", "_" and "-"')
  .refine((name) => name !== '.' && name !== '..', 'a name is not "." or ".."')

/** Code of the user: a named export of a module under `src/`. */
export const codeRef = z.strictObject({
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
export const sideDeclaration = z.discriminatedUnion('form', [
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
export const durationMs = z.number().int().nonnegative()
/** What every node has. */
export const base = { id: identifier, name: kafkaName, position, note: z.string().optional() }

/** How the records of a key are cut into windows. */
export const windows = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('time'),
    sizeMs: z.number().int().positive(),
    graceMs: durationMs,
    /** How far apart windows start; absent: their size, so that they do not overlap. */
    advanceMs: z.number().int().positive().optional(),
  }),
  z.strictObject({ kind: z.literal('session'), gapMs: durationMs, graceMs: durationMs }),
  /** The most that the times of two records of one window differ by. */
  z.strictObject({
    kind: z.literal('sliding'),
    differenceMs: z.number().int().positive(),
    graceMs: durationMs,
  }),
])

/** Results once, when the window takes no more records; absent: each time that one changes. */
export const emit = z.literal('window-close').optional()

/** Records grouped by their key, aggregated in a store of the node's own. */
export const grouping = {
  storeName: kafkaName,
  /** Grouped key serde; absent: the source's. */
  key: serdeRef.optional(),
  /** Grouped value serde, for a key that changed in front of it; absent: the source's. */
  value: serdeRef.optional(),
}
