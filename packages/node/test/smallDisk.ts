import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { readdir, rm, statfs, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const FILLER = 'filler-'

/** A file system of a few megabytes, in memory: one that can be filled. Linux, and only as root. */
export class SmallDisk {
  #fillers = 0

  private constructor(readonly dir: string) {}

  /** @throws Error where this process may not mount anything */
  static mount(bytes: number): SmallDisk {
    const dir = mkdtempSync(join(tmpdir(), 'lanescope-disk-'))
    try {
      execute('mount', ['-t', 'tmpfs', '-o', `size=${bytes}`, 'lanescope', dir])
    } catch (error) {
      rmSync(dir, { recursive: true })
      throw error
    }
    return new SmallDisk(dir)
  }

  /** Leaves so many bytes free, at most about. What has filled it before stays. */
  async fill(leave: number): Promise<void> {
    const { bavail, bsize } = await statfs(this.dir)
    const filler = join(this.dir, `${FILLER}${this.#fillers++}`)
    try {
      await writeFile(filler, new Uint8Array(Math.max(0, bavail * bsize - leave)))
    } catch (error) {
      // Somebody else has taken the rest meanwhile.
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
    }
  }

  async free(): Promise<void> {
    for (const name of await readdir(this.dir)) {
      if (name.startsWith(FILLER)) await rm(join(this.dir, name))
    }
  }

  /** Nothing in it can be written any more, whoever asks. */
  makeReadOnly(): void {
    execute('mount', ['-o', 'remount,ro', this.dir])
  }

  makeWritable(): void {
    execute('mount', ['-o', 'remount,rw', this.dir])
  }

  unmount(): void {
    execute('umount', ['-l', this.dir])
    rmSync(this.dir, { recursive: true, force: true })
  }
}

/** Why no disk can be mounted here; undefined when one can. */
export function whyNoSmallDisk(): string | undefined {
  if (process.platform !== 'linux') return 'no small disk: tmpfs is mounted on Linux alone'
  try {
    SmallDisk.mount(1 << 20).unmount()
    return undefined
  } catch (error) {
    return `no small disk: ${(error as Error).message}`
  }
}

function execute(command: string, args: readonly string[]): void {
  const { status, stderr, error } = spawnSync(command, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${command}: ${error?.message ?? stderr.trim()}`)
}
