import { existsSync } from 'node:fs'
import { open, readdir, rm, stat, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { type SeededRandom, SystemClock } from '@lanescope/core'
import { api, type KafkaProxy } from '../../packages/node/test/KafkaProxy.js'
import { type SmallDisk, whyNoSmallDisk } from '../../packages/node/test/smallDisk.js'
import type { AppProcess } from './AppProcess.js'
import type { Broker } from './Broker.js'

export interface Scene {
  /** The application that is to do the work; another one by now, where it was replaced. */
  app: AppProcess
  readonly broker: Broker
  /** What lies between the application and the broker. */
  readonly proxy: KafkaProxy
  readonly random: SeededRandom
  readonly stateDir: string
  /** Where the state lies, for a fault that needs one. */
  readonly disk: SmallDisk | undefined
  /** Starts another instance as if on another machine: with a state folder of its own. */
  readonly startAnother: () => AppProcess
}

export interface Fault {
  /** Done to a run while it works, from its start on. Afterwards the application runs, or is started again. */
  readonly happens: (scene: Scene) => Promise<void>
  readonly smallDisk?: true
  /** Records far in the future are among the input. */
  readonly farFuture?: true
}

const clock = new SystemClock()
export const sleep = (ms: number) => new Promise<void>((resolve) => clock.after(ms, resolve))
/** Between so many ms and so many. */
export const between = (random: SeededRandom, least: number, most: number) =>
  least + Math.floor(random.next() * (most - least))

/** A session of a group is over, and whoever waits for that has taken its place. */
const REPLACED_MS = 14_000

const all: { readonly [name: string]: Fault } = {
  'killed, three times': {
    happens: async ({ app, random }) => {
      for (let i = 0; i < 3; i++) {
        await sleep(between(random, 300, 3500))
        await app.kill()
        app.start()
      }
    },
  },
  'killed, and its state deleted': {
    happens: async ({ app, random, stateDir }) => {
      await sleep(between(random, 1500, 4000))
      await app.kill()
      await rm(stateDir, { recursive: true, force: true })
      app.start()
    },
  },
  'killed, and its state truncated': {
    happens: async ({ app, random, stateDir }) => {
      await sleep(between(random, 1500, 4000))
      await app.kill()
      await cutOff(stateDir, random)
      app.start()
    },
  },
  'killed, and pages of its state corrupted': {
    happens: async ({ app, random, stateDir }) => {
      await sleep(between(random, 1500, 4000))
      await app.kill()
      await corrupt(stateDir, random, /\.(run|ldb|log)$/)
      app.start()
    },
  },
  'pages of its state corrupted at work': {
    happens: async ({ random, stateDir }) => {
      await sleep(between(random, 1500, 4000))
      await corrupt(stateDir, random, /\.run$/)
    },
  },
  'disk full': {
    smallDisk: true,
    happens: async ({ random, disk }) => {
      await sleep(between(random, 1000, 4000))
      await disk?.fill(between(random, 0, 32_768))
      await sleep(between(random, 1000, 4000))
      await disk?.free()
    },
  },
  'broker stopped and started': {
    happens: async ({ broker, random }) => {
      await sleep(between(random, 500, 3000))
      await broker.restart('stop')
    },
  },
  'broker killed, then the application': {
    happens: async ({ app, broker, random }) => {
      await sleep(between(random, 500, 3000))
      await broker.restart('kill')
      await sleep(between(random, 0, 2000))
      await app.kill()
      app.start()
    },
  },
  'frozen past its transaction': {
    happens: async ({ app, random }) => {
      await sleep(between(random, 800, 3000))
      app.signal('SIGSTOP')
      await sleep(4000)
      app.signal('SIGCONT')
    },
  },
  'frozen, replaced, and woken': {
    happens: async (scene) => {
      const { app, random } = scene
      await sleep(between(random, 800, 3000))
      app.signal('SIGSTOP')
      scene.app = scene.startAnother()
      await sleep(REPLACED_MS + between(random, 0, 2000))
      app.signal('SIGCONT')
      // It finds out, and says who has taken over.
      await app.ended
    },
  },
  'answers to commits lost': {
    happens: async ({ proxy, random }) => {
      for (let i = 0; i < 3; i++) {
        await sleep(between(random, 300, 2000))
        await proxy.once(api.endTxn, i === 1 ? 'lose-request' : 'lose-answer')
      }
    },
  },
  'far-future records, and killed': {
    farFuture: true,
    happens: async ({ app, random }) => {
      await sleep(between(random, 1500, 4000))
      await app.kill()
      app.start()
    },
  },
}

/** The kinds that can be made here, and why others cannot. */
export function possibleFaults(): { readonly faults: { readonly [name: string]: Fault }; readonly left: string[] } {
  const reason = Object.values(all).some(({ smallDisk }) => smallDisk) ? whyNoSmallDisk() : undefined
  const entries = Object.entries(all)
  if (reason === undefined) return { faults: all, left: [] }
  return {
    faults: Object.fromEntries(entries.filter(([, { smallDisk }]) => !smallDisk)),
    left: entries.flatMap(([name, { smallDisk }]) => (smallDisk ? [`${name}: ${reason}`] : [])),
  }
}

async function filesIn(stateDir: string, named: RegExp): Promise<string[]> {
  if (!existsSync(stateDir)) return []
  const entries = await readdir(stateDir, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile() && named.test(entry.name))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
}

/** Cuts a file of the state in half. */
async function cutOff(stateDir: string, random: SeededRandom): Promise<void> {
  const files = await filesIn(stateDir, /\.(run|ldb|log)$/)
  const path = files[Math.floor(random.next() * files.length)]
  if (path !== undefined) await truncate(path, Math.floor((await stat(path)).size / 2))
}

/** Turns bytes around in files of the state, one in about every two kilobytes. */
async function corrupt(stateDir: string, random: SeededRandom, named: RegExp): Promise<void> {
  for (const path of await filesIn(stateDir, named)) {
    // Files come and go while the application works.
    const file = await open(path, 'r+').catch(() => undefined)
    if (file === undefined) continue
    try {
      const { size } = await file.stat()
      for (let at = Math.floor(random.next() * 2048); at < size; at += 1 + Math.floor(random.next() * 4096)) {
        const { buffer } = await file.read(Buffer.alloc(1), 0, 1, at)
        await file.write(Buffer.of((buffer[0] ?? 0) ^ 0x55), 0, 1, at)
      }
    } finally {
      await file.close()
    }
  }
}
