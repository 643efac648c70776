import { readFileSync } from 'node:fs'

/** Clock ticks a second in `/proc`, on every Linux that Node runs on. */
const TICKS = 100

/** User and system time of a process with all its threads, in seconds. */
export function cpuSeconds(pid: number | 'self'): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // The command's name may hold blanks; behind its bracket come the fields from the third on.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / TICKS
}

/** The most memory that a process has had resident, in MB. */
export function peakResidentMb(pid: number | 'self'): number {
  const [, kilobytes = '0'] = /^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) / 1024
}
