import { readFile } from 'node:fs/promises'

const PAGE_BYTES = 4096

/** A process's memory as the system sees it; undefined where it does not say. */
export async function residentBytesOf(pid: number): Promise<number | undefined> {
  try {
    const [, resident] = (await readFile(`/proc/${pid}/statm`, 'utf8')).split(' ')
    return resident === undefined ? undefined : Number(resident) * PAGE_BYTES
  } catch (error) {
    if (error instanceof Error && 'code' in error) return undefined
    throw error
  }
}
