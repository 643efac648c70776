import { spawn } from 'node:child_process'
import { ROOT } from '../setup.mjs'

/**
 * Runs a Node script of ours or of a package, its output on this terminal, and answers its exit code; 1 if a signal
 * ended it or it could not be started. If this process is told to end, so is the script.
 */
export function runNode(script, args, environment = {}) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [script, ...args], {
      cwd: ROOT,
      stdio: 'inherit',
      env: { ...process.env, ...environment },
    })
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
    const pass = (signal) => child.kill(signal)
    for (const signal of signals) process.on(signal, pass)
    const end = (code) => {
      for (const signal of signals) process.off(signal, pass)
      resolve(code)
    }
    child.on('error', (error) => {
      process.stderr.write(`${script} could not be started: ${error.message}\n`)
      end(1)
    })
    child.on('close', (code) => end(code ?? 1))
  })
}
