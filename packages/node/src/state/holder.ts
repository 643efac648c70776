import { readFile, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { StreamError } from '@lanescope/core'

/** Says who has a state folder open, beside it, for whoever finds it locked (E5). */
export async function tellHolder(folder: string): Promise<void> {
  await writeFile(fileOf(folder), `process ${process.pid} on ${hostname()}`)
}

/** The error of opening a folder; of one that is locked it says by whom, as far as that one has told. */
export async function namingHolder(error: unknown, folder: string): Promise<unknown> {
  if (!(error instanceof StreamError) || error.code !== 'STATE_LOCKED') return error
  // One that has told nothing is named as before.
  const holder = await readFile(fileOf(folder), 'utf8').catch(() => '')
  if (holder === '') return error
  const { message, code, kind, retriable, cause } = error
  return new StreamError(`${message} It is ${holder}.`, { code, kind, retriable, cause })
}

function fileOf(folder: string): string {
  return `${folder}.holder`
}
