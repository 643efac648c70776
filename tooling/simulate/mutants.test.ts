import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { mutants } from './mutants.mjs'

const root = new URL('../../', import.meta.url)

describe('Faults to be planted in the engine', () => {
  it.each(mutants.map((mutant) => [mutant.name, mutant] as const))(
    '%s: is still to be found there',
    async (_, mutant) => {
      for (const { file, find } of [mutant, ...(mutant.also ?? [])]) {
        // Once: a second place would be changed, or not, by chance.
        expect((await readFile(fileURLToPath(new URL(file, root)), 'utf8')).split(find)).toHaveLength(2)
      }
    },
  )
})
