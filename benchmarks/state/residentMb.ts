import { readFileSync } from 'node:fs'

/** What of this process is in memory: what it has taken, and what is mapped from files and can be read again. */
export function residentMb(): { readonly own: number; readonly files: number } {
  const status = readFileSync('/proc/self/status', 'utf8')
  const megabytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0) / 1024
  return { own: megabytes('RssAnon'), files: megabytes('RssFile') }
}
