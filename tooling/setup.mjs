import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

/*
 * What `npm start` and `npm test` need before they can do their work: packages and a build, each made only when
 * what it is made from has changed. It runs on a bare clone, so it uses Node alone.
 */

export const ROOT = fileURLToPath(new URL('..', import.meta.url))

const LEAST_NODE = [20, 19]
const TAIL_LINES = 40

/** A step of the set-up failed; the message holds the command and the end of what it said. */
export class SetupError extends Error {}

/**
 * Installs and builds what is missing or out of date.
 *
 * @param {(line: string) => void} say gets one line for each step that had to be done
 */
export async function setup(say) {
  checkNode(process.versions.node)
  const install = installStep()
  if (!isFresh(install)) await perform('Installed packages', install, say)
  for (const step of buildSteps()) if (!isFresh(step)) await perform('Built', step, say)
}

function checkNode(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major > LEAST_NODE[0] || (major === LEAST_NODE[0] && minor >= LEAST_NODE[1])) return
  throw new SetupError(`Lanescope needs Node ${LEAST_NODE.join('.')} or newer, and this is Node ${version}`)
}

function installStep() {
  return {
    what: '',
    command: npm(['ci', '--no-audit', '--no-fund']),
    stamp: join(ROOT, 'node_modules', '.lanescope-install'),
    inputs: [join(ROOT, 'package-lock.json')],
    outputs: [join(ROOT, 'node_modules')],
  }
}

function buildSteps() {
  const packages = ['packages/core', 'packages/node', 'packages/shared', 'apps/agent']
  const typescript = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc')
  const vite = join(ROOT, 'node_modules', 'vite', 'bin', 'vite.js')
  const lock = join(ROOT, 'package-lock.json')
  const sources = packages.flatMap((path) => [
    join(ROOT, path, 'src'),
    join(ROOT, path, 'tsconfig.json'),
    join(ROOT, path, 'package.json'),
  ])
  return [
    {
      what: ' packages and agent',
      command: [process.execPath, [typescript, '-b', ...packages], ROOT],
      stamp: join(ROOT, 'node_modules', '.lanescope-build'),
      inputs: [lock, join(ROOT, 'tsconfig.base.json'), ...sources],
      outputs: packages.map((path) => join(ROOT, path, 'dist')),
    },
    {
      what: ' page',
      command: [process.execPath, [vite, 'build'], join(ROOT, 'apps', 'web')],
      stamp: join(ROOT, 'node_modules', '.lanescope-page'),
      inputs: [
        lock,
        join(ROOT, 'vite.config.ts'),
        join(ROOT, 'apps', 'web'),
        join(ROOT, 'packages', 'core', 'src'),
        join(ROOT, 'packages', 'shared', 'src'),
      ],
      outputs: [join(ROOT, 'apps', 'web', 'dist', 'index.html')],
    },
  ]
}

/** npm as the one that runs us, if any does: on Windows it is no program but a script. */
function npm(args) {
  const script = process.env.npm_execpath
  if (script?.endsWith('.js')) return [process.execPath, [script, ...args], ROOT]
  return ['npm', args, ROOT, process.platform === 'win32']
}

function isFresh(step) {
  if (!step.outputs.every((path) => existsSync(path)) || !existsSync(step.stamp)) return false
  return readFileSync(step.stamp, 'utf8') === digest(step)
}

/** Tells one state of the inputs from another, by their content: times change with every checkout. */
function digest(step) {
  const hash = createHash('sha256').update(`${process.versions.modules} ${process.platform} ${process.arch}`)
  for (const input of step.inputs) {
    for (const file of filesOf(input)) hash.update(`\0${relative(ROOT, file)}\0`).update(readFileSync(file))
  }
  return hash.digest('hex')
}

function filesOf(path) {
  if (!existsSync(path)) return []
  if (!statSync(path).isDirectory()) return /\.test\.tsx?$/.test(path) ? [] : [path]
  return readdirSync(path)
    .filter((name) => name !== 'dist' && name !== 'node_modules')
    .sort()
    .flatMap((name) => filesOf(join(path, name)))
}

async function perform(verb, step, say) {
  const begun = performance.now()
  // Taken before: what changes while the step runs shall be seen by the next one.
  const made = digest(step)
  await runQuietly(step.command)
  mkdirSync(dirname(step.stamp), { recursive: true })
  writeFileSync(step.stamp, made)
  say(`${verb}${step.what} in ${((performance.now() - begun) / 1000).toFixed(1)} s`)
}

function runQuietly([program, args, folder, shell = false]) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd: folder, shell, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    const keep = (chunk) => {
      output = (output + chunk).slice(-100_000)
    }
    child.stdout.on('data', keep)
    child.stderr.on('data', keep)
    const command = [program, ...args].join(' ')
    child.on('error', (error) => reject(new SetupError(`${command} could not be started: ${error.message}`)))
    child.on('close', (code, signal) => {
      if (code === 0) return resolve()
      const tail = output.trimEnd().split('\n').slice(-TAIL_LINES).join('\n')
      reject(new SetupError(`${tail}\n\nFailed (${signal ?? `exit code ${code}`}): ${command}\n  in ${folder}`))
    })
  })
}
