import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'

const root = fileURLToPath(new URL('../../../', import.meta.url))

/** Makes one file of the application and the packages' sources, where Node finds the libraries. @returns its folder */
export async function bundleOperatedApp(): Promise<string> {
  const outDir = await mkdtemp(join(root, 'node_modules', '.operated-'))
  await build({
    root,
    configFile: join(root, 'vite.config.ts'),
    logLevel: 'error',
    ssr: { noExternal: true, external: ['kafkajs', 'snappy', 'lz4-napi', '@mongodb-js/zstd', 'classic-level'] },
    build: {
      ssr: true,
      outDir,
      emptyOutDir: false,
      minify: false,
      target: 'node20',
      rollupOptions: {
        input: { app: join(root, 'packages/node/test/operatedApp.ts') },
        output: { entryFileNames: '[name].mjs', chunkFileNames: '[name].mjs' },
      },
    },
  })
  return outDir
}

/** The application in a process of its own. */
export class OperatedProcess {
  readonly ended: Promise<number | null>
  out = ''
  err = ''
  readonly #waiting = new Set<() => void>()
  readonly #child: ChildProcess

  constructor(folder: string, args: readonly string[], env: Readonly<{ [name: string]: string }> = {}) {
    const child = spawn(process.execPath, [join(folder, 'app.mjs'), ...args], {
      env: { PATH: process.env.PATH, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.#child = child
    child.stdout.on('data', (chunk) => {
      this.out += chunk
      for (const look of this.#waiting) look()
    })
    child.stderr.on('data', (chunk) => {
      this.err += chunk
      for (const look of this.#waiting) look()
    })
    this.ended = new Promise((resolve) =>
      child.on('close', (code) => {
        resolve(code)
        for (const look of this.#waiting) look()
      }),
    )
  }

  /** Nobody reads its standard output any more. */
  closeOutput(): void {
    this.#child.stdout?.destroy()
  }

  signal(name: 'SIGTERM' | 'SIGINT' | 'SIGKILL'): void {
    this.#child.kill(name)
  }

  /** Resolves with what a pattern captures once it is printed. */
  said(pattern: RegExp): Promise<string> {
    return new Promise((resolve, reject) => {
      const look = () => {
        const found = pattern.exec(this.out) ?? pattern.exec(this.err)
        if (found === null && this.#child.exitCode === null) return
        this.#waiting.delete(look)
        if (found === null) reject(new Error(`ended without saying ${pattern}:\n${this.out}${this.err}`))
        else resolve(found[1] ?? found[0])
      }
      this.#waiting.add(look)
      look()
    })
  }
}
