import { Console } from 'node:console'
import { Writable } from 'node:stream'

const LONGEST = 2_000

/** Sends what user code prints to the page's log instead of to nowhere: a run has no terminal. */
export function captureConsole(onLine: (level: 'info' | 'error', line: string) => void): void {
  const stdout = new Writable({ decodeStrings: false, write: lineWriter((line) => onLine('info', line)) })
  const stderr = new Writable({ decodeStrings: false, write: lineWriter((line) => onLine('error', line)) })
  globalThis.console = new Console({ stdout, stderr })
}

function lineWriter(onLine: (line: string) => void) {
  return (chunk: string | Buffer, _encoding: string, done: () => void) => {
    const text = String(chunk).replace(/\n$/, '')
    onLine(text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text)
    done()
  }
}
