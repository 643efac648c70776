import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT, SetupError, setup } from './setup.mjs'

/* `npm start`: sets up what is out of date, then is the agent, in this terminal. */

const args = process.argv.slice(2)

if (args.includes('--help')) {
  process.stdout.write(readFileSync(join(ROOT, 'apps', 'agent', 'help.txt'), 'utf8'))
} else {
  try {
    await setup((line) => process.stdout.write(`${line}\n`))
    runAgent()
  } catch (error) {
    if (!(error instanceof SetupError)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exitCode = 1
  }
}

function runAgent() {
  const agent = spawn(process.execPath, [join(ROOT, 'apps', 'agent', 'dist', 'main.js'), ...args], {
    // The channel tells the agent when this process is gone, even if it was killed.
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => agent.kill(signal))
  agent.on('exit', (code, signal) => {
    process.exitCode = signal === null ? (code ?? 1) : 1
  })
}
