import { createRequire } from 'node:module'
import { findViolations } from './findViolations.mjs'

/* Holds every source file to the arrows of .dependency-cruiser.cjs; prints what breaks one, and fails then. */

const rules = createRequire(import.meta.url)('../../.dependency-cruiser.cjs')
const { violations, files } = await findViolations(rules)

for (const { rule, from, to } of violations) process.stdout.write(`${from} → ${to}\n  breaks: ${rule}\n`)
process.stdout.write(`${files} files, ${violations.length} broken arrows\n`)
process.exitCode = violations.length === 0 ? 0 : 1
