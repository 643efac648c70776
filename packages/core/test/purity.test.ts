import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createContext, runInContext } from 'node:vm'
import { build, type Rolldown } from 'vite'
import { beforeAll, describe, expect, it } from 'vitest'

/*
 * The engine runs in a browser's worker, in Node and in whatever comes next. So all of it is loaded, and made to
 * work, in a world that has the language and the few host names of globals.d.ts, and nothing else.
 */

const PACKAGE = fileURLToPath(new URL('..', import.meta.url))
const SOURCES = join(PACKAGE, 'src')

const sourceFiles = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.ts$/.test(path) && !/\.(test|test-d|d)\.ts$/.test(path))
  .map((path) => join(SOURCES, path))

/** The entries as package.json states them, each with its source. */
function entries(): readonly string[] {
  const manifest = JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8')) as {
    readonly exports: { readonly [entry: string]: string | { readonly default: string } }
  }
  return Object.values(manifest.exports).flatMap((target) =>
    typeof target === 'string'
      ? []
      : [join(PACKAGE, target.default.replace('./dist/', 'src/').replace(/\.js$/, '.ts'))],
  )
}

/** The whole engine as one script without imports; what it imports from outside the workspace is in `imports`. */
async function bundle(code: string): Promise<{ readonly code: string; readonly imports: readonly string[] }> {
  const virtual = '\0every-entry'
  const built = (await build({
    configFile: false,
    logLevel: 'silent',
    plugins: [
      {
        name: 'every-entry',
        resolveId: (id) => (id === 'every-entry' ? virtual : null),
        load: (id) => (id === virtual ? code : null),
      },
    ],
    build: {
      write: false,
      minify: false,
      target: 'es2023',
      rolldownOptions: {
        input: 'every-entry',
        external: [/^node:/],
        preserveEntrySignatures: 'strict',
        output: { format: 'es', codeSplitting: false },
      },
    },
  })) as Rolldown.RolldownOutput
  const chunk = built.output[0]
  return { code: chunk.code, imports: [...chunk.imports, ...chunk.dynamicImports] }
}

/** A world of the language alone, with those host names that globals.d.ts allows. */
function bareWorld() {
  const declarations = readFileSync(join(SOURCES, 'globals.d.ts'), 'utf8')
  const names = [...declarations.matchAll(/^declare (?:function|const|class) (\w+)/gm)].map(([, name = '']) => name)
  const host = globalThis as unknown as { readonly [name: string]: unknown }
  return createContext(Object.fromEntries(names.map((name) => [name, host[name]])))
}

/** A count over lanes, stores, clocks and the test driver, as a user would write it. */
const PROGRAM = `
  const builder = new engine.StreamsBuilder()
  builder
    .stream('in', engine.Consumed.with(engine.string, engine.string))
    .groupByKey()
    .windowedBy(engine.TimeWindows.ofSizeWithNoGrace(engine.seconds(1)))
    .count()
    .toStream()
    .map((key, count) => [key.key + '@' + key.window.start, count])
    .to('out', engine.Produced.with(engine.string, engine.long))
  const driver = new engine.TopologyTestDriver(builder.build())
  const input = driver.createInputTopic('in', engine.string, engine.string)
  const output = driver.createOutputTopic('out', engine.string, engine.long)
  Promise.resolve()
    .then(() => input.pipeInput('a', 'x', 100))
    .then(() => input.pipeInput('a', 'x', 900))
    .then(() => input.pipeInput('a', 'x', 1000))
    .then(() => output.readKeyValuesToList().join(' '))
`

describe('the engine without a host', () => {
  let script: { readonly code: string; readonly imports: readonly string[] }
  beforeAll(async () => {
    const lines = entries().map((path, index) => `import * as entry${index} from ${JSON.stringify(path)}`)
    const all = entries().map((_, index) => `...entry${index}`)
    script = await bundle(`${lines.join('\n')}\nglobalThis.engine = { ${all.join(', ')} }\n`)
  }, 300_000)

  it('imports nothing from outside', () => {
    expect(script.imports).toEqual([])
  })

  it('loads and works with the names of globals.d.ts alone', async () => {
    const world = bareWorld()
    runInContext(script.code, world)
    expect(await runInContext(PROGRAM, world)).toBe('a@0,1 a@0,2 a@1000,1')
    const nightly = "engine.nextTick({ cron: '0 3 * * *', zone: 'Europe/Berlin' }, 0)"
    expect(runInContext(nightly, world)).toBe(2 * 3_600_000)
  })

  it('would not load if it reached for a name of Node or of the page', async () => {
    for (const name of ['process', 'Buffer', 'window', 'document', 'fetch', 'setInterval', 'structuredClone']) {
      expect(() => runInContext(name, bareWorld()), name).toThrow(`${name} is not defined`)
    }
    expect(
      (await bundle("import { readFileSync } from 'node:fs'\nglobalThis.engine = readFileSync\n")).imports,
    ).toEqual(['node:fs'])
  })
})

describe('time and randomness', () => {
  const FORBIDDEN = /\bnew Date\(\)|\b(Date\.now|setTimeout|setInterval|performance\.now|Math\.random|randomUUID)\b/

  it('are asked of the host in time/ alone', () => {
    const asking = sourceFiles
      .filter((file) => FORBIDDEN.test(readFileSync(file, 'utf8')))
      .map((file) => relative(SOURCES, file))
    expect(asking.filter((path) => !path.startsWith('time/'))).toEqual([])
    // Shows that the search finds something at all.
    expect(asking.sort()).toEqual(['time/Random.ts', 'time/SystemClock.ts'])
  })
})
