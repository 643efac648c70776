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
 * @param {string} root the repository
 * @throws SetupError
 */
export async function setup(say, root = ROOT) {
  checkNode(process.versions.node)
  for (const step of [installStep(root), packagesStep(root), pageStep(root)]) {
    if (!isFresh(root, step)) await perform(root, step, say)
  }
}

/** @throws SetupError */
export function checkNode(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major > LEAST_NODE[0] || (major === LEAST_NODE[0] && minor >= LEAST_NODE[1])) return
  throw new SetupError(`Lanescope needs Node ${LEAST_NODE.join('.')} or newer, and this is Node ${version}`)
}

function installStep(root) {
  return {
    did: 'Installed packages',
    command: npm(root, ['ci', '--no-audit', '--no-fund']),
    stamp: join(root, 'node_modules', '.lanescope-install'),
    inputs: [join(root, 'package-lock.json')],
    outputs: [join(root, 'node_modules')],
  }
}

function packagesStep(root) {
  const packages = ['packages/core', 'packages/node', 'packages/shared', 'apps/agent']
  const sources = packages.flatMap((path) =>
    ['src', 'tsconfig.json', 'package.json'].map((name) => join(root, path, name)),
  )
  return {
    did: 'Built packages and agent',
    command: [process.execPath, [join(root, 'node_modules', 'typescript', 'bin', 'tsc'), '-b', ...packages], root],
    stamp: join(root, 'node_modules', '.lanescope-build'),
    inputs: [join(root, 'package-lock.json'), join(root, 'tsconfig.base.json'), ...sources],
    outputs: packages.map((path) => join(root, path, 'dist')),
  }
}

function pageStep(root) {
  const sources = ['vite.config.ts', 'apps/web', 'packages/core/src', 'packages/shared/src']
  return {
    did: 'Built page',
    command: [
      process.execPath,
      [join(root, 'node_modules', 'vite', 'bin', 'vite.js'), 'build'],
      join(root, 'apps', 'web'),
    ],
    stamp: join(root, 'node_modules', '.lanescope-page'),
    inputs: [join(root, 'package-lock.json'), ...sources.map((path) => join(root, path))],
    outputs: [join(root, 'apps', 'web', 'dist', 'index.html')],
  }
}

/** npm as the one that runs us, if any does: on Windows it is no program but a script. */
function npm(root, args) {
  const script = process.env.npm_execpath
  if (script?.endsWith('.js')) return [process.execPath, [script, ...args], root]
  return ['npm', args, root, process.platform === 'win32']
}

function isFresh(root, step) {
  if (!step.outputs.every((path) => existsSync(path)) || !existsSync(step.stamp)) return false
  return readFileSync(step.stamp, 'utf8') === digest(root, step)
}

/** Tells one state of the inputs from another, by their content: times change with every checkout. */
function digest(root, step) {
  const hash = createHash('sha256').update(`${process.versions.modules} ${process.platform} ${process.arch}`)
  for (const input of step.inputs) {
    for (const file of filesOf(input)) hash.update(`\0${relative(root, file)}\0`).update(readFileSync(file))
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

async function perform(root, step, say) {
  const begun = performance.now()
  // Taken before: what changes while the step runs shall be seen by the next one.
  const made = digest(root, step)
  await runQuietly(step.command)
  mkdirSync(dirname(step.stamp), { recursive: true })
  writeFileSync(step.stamp, made)
  say(`${step.did} in ${((performance.now() - begun) / 1000).toFixed(1)} s`)
}

function runQuietly([program, args, folder, shell = false]) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd: folder,
      shell,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: '0' },
    })
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
