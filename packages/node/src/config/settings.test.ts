import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { StreamError, string } from '@lanescope/core'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readEnvironment, variableOf } from './environment.js'
import { isSecret } from './hostKeys.js'
import { allKeys, describeSettings, namingOrigins, readSettings } from './settings.js'

let dir: string
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'lanescope-settings-'))
})
afterEach(() => rm(dir, { recursive: true }))

async function file(text: string): Promise<string> {
  const path = join(dir, 'operator.json')
  await writeFile(path, text)
  return path
}

describe('settings', () => {
  it('count in the order application, file, environment, --set, flag', async () => {
    const key = 'shutdown.timeout-ms'
    const all = {
      own: { [key]: 1 },
      file: await file(JSON.stringify({ [key]: 2 })),
      env: { LANESCOPE_SHUTDOWN_TIMEOUT_MS: '3' },
      sets: [`${key}=4`, `${key}=5`],
      flags: { [key]: 6 },
    }
    const read = async (sources: Parameters<typeof readSettings>[0]) => {
      const { config, origins } = await readSettings(sources)
      return [config[key], origins.get(key)]
    }
    const { flags, ...noFlags } = all
    const { sets, ...noSets } = noFlags
    expect(await read({ ...noFlags, flags })).toEqual([6, 'flag'])
    expect(await read({ ...noSets, sets })).toEqual(['5', '--set'])
    expect(await read(noSets)).toEqual(['3', 'environment'])
    expect(await read({ ...noSets, env: {} })).toEqual([2, all.file])
    expect(await read({ own: all.own, env: {} })).toEqual([1, 'the application'])
    expect(await read({ own: {}, env: {} })).toEqual([undefined, undefined])
    // What is not given does not count.
    expect(await read({ ...noSets, flags: { [key]: undefined } })).toEqual(['3', 'environment'])
  })

  it('keep what stands behind the first = of a --set, and refuse one without a key', async () => {
    const { config } = await readSettings({ own: {}, env: {}, sets: ['sasl.password=a=b ', 'client.id='] })
    expect(config).toEqual({ 'sasl.password': 'a=b ', 'client.id': '' })
    for (const bad of ['lanes.count', '=4']) {
      await expect(readSettings({ own: {}, env: {}, sets: [bad] })).rejects.toMatchObject({
        code: 'CONFIG_INVALID',
        message: `--set is given "${bad}": give --set key=value`,
      })
    }
  })

  it('refuse a file that is missing, a folder, or no object, say what to do, and quote nothing of it', async () => {
    const read = (path: string) => readSettings({ own: {}, env: {}, file: path })
    const missing = join(dir, 'none.json')
    await expect(read(missing)).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      message: `--config names "${missing}", which does not exist: give the path of a file that does`,
    })
    await expect(read(dir)).rejects.toThrow(/which is a folder: give the path of a file in it$/)
    await expect(read(join(await file('{}'), 'below'))).rejects.toThrow(/which does not exist/)
    for (const [text, why] of [
      ['', 'it is empty'],
      ['{"sasl.password":\n hush', 'it is not JSON at line 2, column 2'],
      ['{"sasl.password": "hush', 'it ends before its object does'],
      ['["hush"]', 'it is JSON, and no object'],
      ['"hush"', 'it is JSON, and no object'],
      ['null', 'it is JSON, and no object'],
    ] as const) {
      const path = await file(text)
      await expect(read(path)).rejects.toMatchObject({
        code: 'CONFIG_INVALID',
        message: `The configuration file "${path}" cannot be used: ${why}. Write one object of keys and values: {"key": value, …}`,
      })
    }
  })

  it('take a file with a byte-order mark, as editors of Windows leave it', async () => {
    const { config } = await readSettings({ own: {}, env: {}, file: await file('\uFEFF{"client.id": "x"}') })
    expect(config).toEqual({ 'client.id': 'x' })
  })

  it('refuse a flag that is given and empty: a shell variable that is not set must not choose another log', async () => {
    const read = (value: string | undefined) =>
      readSettings({ own: {}, env: {}, flags: { 'bootstrap.servers': value } })
    await expect(read('')).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      message: 'The flag for "bootstrap.servers" is empty: give it a value, or leave it out',
    })
    expect((await read(undefined)).config).toEqual({})
  })

  it('say in an error where the keys that it names are from, unless that is the application', async () => {
    const path = await file('{"lanes.count": 0}')
    const settings = await readSettings({
      own: { 'epoch.max-records': 0 },
      env: { LANESCOPE_COMMIT_INTERVAL_MS: 'often' },
      file: path,
      sets: ['state.dir='],
    })
    const problem = (message: string, code: 'CONFIG_INVALID' | 'LOG_UNAVAILABLE' = 'CONFIG_INVALID') =>
      new StreamError(message, { code, kind: 'user', retriable: false, cause: 'why' })
    const named = namingOrigins(problem('"lanes.count" is wrong. "commit.interval.ms" is, too.'), settings)
    expect(named).toMatchObject({
      code: 'CONFIG_INVALID',
      cause: 'why',
      message: `"lanes.count" is wrong. "commit.interval.ms" is, too (lanes.count is from ${path}, commit.interval.ms is from LANESCOPE_COMMIT_INTERVAL_MS)`,
    })
    const flagged = await readSettings({ own: {}, env: {}, flags: { 'bootstrap.servers': 'x' } })
    expect(namingOrigins(problem('"bootstrap.servers" is "x"'), flagged)).toMatchObject({
      message: '"bootstrap.servers" is "x" (bootstrap.servers is from --bootstrap-servers)',
    })
    expect(namingOrigins(problem('"state.dir" is ""'), settings)).toMatchObject({
      message: '"state.dir" is "" (state.dir is from --set)',
    })
    for (const same of [problem('"epoch.max-records" is 0'), problem('"lanes.count"', 'LOG_UNAVAILABLE'), 'odd']) {
      expect(namingOrigins(same, settings)).toBe(same)
    }
  })

  it('warn of what nothing reads', async () => {
    const { warnings } = await readSettings({
      own: { 'producer.acks': 'all', 'http.port': 1, 'state.format-change': 'reset', 'lane.count': 1, 'ssl.ca': 'x' },
      env: { LANESCOPE_SERVICE_HOST: '1', LANESCOPE_CLIENT_ID: 'x', PATH: '', LANESCOPE_ODD: '' },
    })
    // Those of the engine and of security are refused by whoever reads them.
    expect(warnings).toEqual([
      'The environment variable LANESCOPE_SERVICE_HOST stands for no configuration key and is not read',
      'The configuration key "producer.acks" is not read',
    ])
  })
})

describe('the environment', () => {
  it('has one variable for each key, and no two keys share one', () => {
    const variables = allKeys().map(variableOf)
    expect(new Set(variables).size).toBe(variables.length)
    expect(variableOf('topology.validation.timer-key-lane-affinity')).toBe(
      'LANESCOPE_TOPOLOGY_VALIDATION_TIMER_KEY_LANE_AFFINITY',
    )
    const env = Object.fromEntries(variables.map((variable) => [variable, 'x']))
    expect([...readEnvironment(env, allKeys()).values.keys()].sort()).toEqual([...allKeys()].sort())
  })

  it('does not count a variable that is empty', () => {
    const env = { LANESCOPE_CLIENT_ID: '', LANESCOPE_STATE_DIR: 'x' }
    expect([...readEnvironment(env, allKeys()).values]).toEqual([['state.dir', 'x']])
  })
})

describe('the description of settings', () => {
  it('has each key that holds, in order, with secrets masked', async () => {
    const own = {
      'application.id': 'orders',
      'default.key.serde': string,
      'sasl.password': 'hush',
      'sasl.jaas.config': 'hush',
      'sasl.oauthbearer.client.credentials.client.secret': 'hush',
      'ssl.key.password': 'hush',
      'sasl.oauthbearer.token.endpoint.url': 'https://login',
      'processor.wrapper': () => undefined,
      'topology.optimization': 'merge.repartition.topics',
    }
    const lines = describeSettings(await readSettings({ own, env: {}, sets: ['lanes.count=4'] }))
    expect(lines).toContain('application.id = orders  (the application)')
    expect(lines).toContain('default.key.serde = string  (the application)')
    expect(lines).toContain('lanes.count = 4  (--set)')
    expect(lines).toContain('processor.wrapper = a function  (the application)')
    expect(lines).toContain('topology.optimization = ["merge.repartition.topics"]  (the application)')
    expect(lines).toContain('epoch.max-records = 10000  (default)')
    expect(lines).toContain('sasl.oauthbearer.token.endpoint.url = https://login  (the application)')
    expect(lines.filter((line) => line.includes('***'))).toHaveLength(4)
    expect(lines.join()).not.toContain('hush')
    expect(lines).toEqual(lines.toSorted())
  })

  it('masks by the name alone, so that a key that nobody knows is covered', () => {
    expect(['sasl.passwords', 'x.Secret', 'client.token', 'sasl.jaas'].map(isSecret)).toEqual([true, true, true, true])
    expect(['application.id', 'sasl.username'].map(isSecret)).toEqual([false, false])
  })

  it('is refused where the engine would refuse the configuration', async () => {
    const settings = await readSettings({ own: { 'lane.count': 3 }, env: {} })
    expect(() => describeSettings(settings)).toThrow(/"lane\.count" is not a configuration key/)
  })
})
