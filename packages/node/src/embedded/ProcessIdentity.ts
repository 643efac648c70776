import { readFile } from 'node:fs/promises'

/** A process, told apart from a later one that got the same number. */
export interface ProcessIdentity {
  readonly pid: number
  /** The boot and the moment it started in; empty where the system does not tell. */
  readonly started: string
}

export async function describeProcess(pid: number): Promise<ProcessIdentity> {
  return { pid, started: await startOf(pid) }
}

export async function isAlive({ pid, started }: ProcessIdentity): Promise<boolean> {
  try {
    process.kill(pid, 0)
  } catch (error) {
    // EPERM: it lives, and belongs to somebody else.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false
  }
  const now = await startOf(pid)
  return started === '' || now === '' || now === started
}

/** From Linux's /proc: after a reboot, or in a new container, small numbers come back soon. */
async function startOf(pid: number): Promise<string> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
    const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8')
    // The name in parentheses may hold blanks; the start time is the 20th field behind it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return `${boot.trim()} ${fields[19] ?? ''}`
  } catch {
    return ''
  }
}
