/** `00:19:44`; from 100 hours on the hours just grow. */
export function formatUptime(ms: number): string {
  const seconds = Math.floor(ms / 1_000)
  const pad = (value: number) => String(value).padStart(2, '0')
  return `${pad(Math.floor(seconds / 3_600))}:${pad(Math.floor(seconds / 60) % 60)}:${pad(seconds % 60)}`
}
