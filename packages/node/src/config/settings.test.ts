import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { string } from '@lanescope/core'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readEnvironment, variableOf } from './environment.js'
import { isSecret } from './hostKeys.js'
import { allKeys, describeSettings, readSettings } from './settings.js'

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

  it('refuse a file that is missing or no object, and quote nothing of it', async () => {
    const own = {}
    await expect(readSettings({ own, env: {}, file: join(dir, 'none.json') })).rejects.toThrow(
      /cannot be read: ENOENT.*none/,
    )
    for (const text of ['{"sasl.password": hush', '["hush"]', '"hush"', 'null']) {
      const refused = readSettings({ own, env: {}, file: await file(text) })
      await expect(refused).rejects.toMatchObject({ code: 'CONFIG_INVALID', message: /no JSON object/ })
      await expect(refused).rejects.not.toThrow(/hush/)
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
