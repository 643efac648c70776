import type { CaseFile } from '../CaseFile.js'
import type { Compat } from '../runFile.js'
import type { CaseOutcome } from './Outcome.js'
import { runPartitionCase } from './runPartitionCase.js'
import { runSerdeCase } from './runSerdeCase.js'
import { runStoreCase } from './runStoreCase.js'
import { runTopologyCase } from './runTopologyCase.js'

/** Runs one case and tells what happened; what it should have been is compared elsewhere. */
export async function runCase(file: CaseFile, compat: Compat): Promise<CaseOutcome> {
  switch (file.kind) {
    case 'store':
      return runStoreCase(file, compat)
    case 'serde':
      return runSerdeCase(file)
    case 'partition':
      return runPartitionCase(file)
    default:
      return runTopologyCase(file, compat)
  }
}
