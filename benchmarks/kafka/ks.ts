import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'

export type Line = { readonly [field: string]: unknown }

/** Runs one of the scripts of a folder of the checkout, and gives what it prints. */
export function script(path: string, args: readonly string[], okCodes: readonly number[] = [0]): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(path, [...args], { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) => {
      const code = error === null ? 0 : Number((error as { code?: unknown }).code)
      if (okCodes.includes(code)) resolve(stdout)
      else reject(new Error(`${path} ${args.join(' ')}: ${stderr || error?.message}`))
    })
  })
}

/** The Java side (`benchmarks/kafka-streams`): one line of JSON for each subcommand. */
export class Ks {
  constructor(
    private readonly root: string,
    private readonly bootstrap: string,
  ) {}

  async run(args: readonly string[]): Promise<Line> {
    // `verify` says by its exit code that something differs; the line says what.
    const printed = await script(
      `${this.root}/benchmarks/kafka-streams/ks`,
      [...args, '--bootstrap', this.bootstrap],
      args[0] === 'verify' ? [0, 1] : [0],
    )
    return JSON.parse(printed.trim().split('\n').at(-1) ?? '{}') as Line
  }
}

/** A broker of the benchmark's own, on free ports and in a folder of its own. */
export async function startBroker(root: string, dir: string): Promise<{ bootstrap: string; pid: number }> {
  const line = await script(`${root}/tooling/kafka/start`, ['--dir', dir])
  const [, bootstrap = '', pid = ''] = /^BOOTSTRAP=(\S+) PID=(\d+)/m.exec(line) ?? []
  return { bootstrap, pid: Number(pid) }
}

export const here = fileURLToPath(new URL('.', import.meta.url))
