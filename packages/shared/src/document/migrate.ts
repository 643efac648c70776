import { FORMAT_VERSION } from './TopologyDocument.js'

/** Turns a document of one version into one of the next. Each gets JSON that its own version's schema accepted. */
export type Migration = (document: { [field: string]: unknown }) => { [field: string]: unknown }

/** By the version that a migration starts from. Version 1 is the first, so there is none yet. */
export const MIGRATIONS: ReadonlyMap<number, Migration> = new Map()

export type MigrationOutcome =
  | { readonly ok: true; readonly document: unknown }
  | { readonly ok: false; readonly message: string }

/**
 * Brings parsed JSON to the newest format, one version after the other.
 *
 * A document of a newer version is refused: reading it as an older one would lose what is new when it is saved.
 */
export function migrate(
  json: { [field: string]: unknown },
  migrations: ReadonlyMap<number, Migration> = MIGRATIONS,
  newest: number = FORMAT_VERSION,
): MigrationOutcome {
  let version = json.formatVersion
  if (version === undefined)
    return { ok: false, message: 'The field formatVersion is missing: is this a topology.json of Lanescope?' }
  if (typeof version !== 'number' || !Number.isInteger(version) || version < 1) {
    return { ok: false, message: `formatVersion is ${JSON.stringify(version)}; it is a whole number from 1 on.` }
  }
  if (version > newest) {
    return {
      ok: false,
      message: `This document was written by a newer version of Lanescope (format ${version}; this one reads ${newest}). Update Lanescope to open it.`,
    }
  }
  let document = json
  for (; version < newest; version++) {
    const step = migrations.get(version as number)
    if (step === undefined) return { ok: false, message: `Format ${version} can no longer be read.` }
    document = { ...step(document), formatVersion: (version as number) + 1 }
  }
  return { ok: true, document }
}
