import { spawn } from 'node:child_process'

/** Opens the user's browser. That it cannot be opened is not an error: the address is on the terminal. */
export function openBrowser(url: string, platform: NodeJS.Platform): void {
  const [command, args] = commandFor(url, platform)
  const opener = spawn(command, args, { stdio: 'ignore', detached: true })
  opener.on('error', () => opener.removeAllListeners())
  opener.unref()
}

function commandFor(url: string, platform: NodeJS.Platform): [command: string, args: readonly string[]] {
  if (platform === 'darwin') return ['open', [url]]
  // `start` takes its first quoted argument as a title.
  if (platform === 'win32') return ['cmd', ['/c', 'start', '""', url]]
  return ['xdg-open', [url]]
}
