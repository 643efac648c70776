import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { type AddressInfo, connect, createServer as createProxy } from 'node:net'
import { join } from 'node:path'
import { rootCertificates } from 'node:tls'
import { Consumed, Produced, SystemClock, string, Topology } from '@lanescope/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openLog, run } from '../src/index.js'
import { type KafkaBroker, startKafkaBroker, whyNoBroker } from './kafkaBroker.js'

const reason = whyNoBroker()
const clock = new SystemClock()
const ENDPOINT = 'sasl.oauthbearer.token.endpoint.url'
const CLIENT_ID = 'sasl.oauthbearer.client.credentials.client.id'
const CLIENT_SECRET = 'sasl.oauthbearer.client.credentials.client.secret'
const LOGIN = { 'sasl.username': 'alice', 'sasl.password': 'alice-secret' }
const unsigned = (claims: object) =>
  `${[{ alg: 'none' }, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')}.`

describe.skipIf(reason !== undefined)(`On a secured broker${reason === undefined ? '' : ` (${reason})`}`, () => {
  let broker: KafkaBroker
  let ca: string
  const servers: { close(): void }[] = []
  beforeAll(async () => {
    const jaas = 'org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginModule required'
    broker = await startKafkaBroker(
      '--secure',
      '--set',
      'sasl.enabled.mechanisms=PLAIN,SCRAM-SHA-256,SCRAM-SHA-512,OAUTHBEARER',
      '--set',
      `listener.name.sasl_plaintext.oauthbearer.sasl.jaas.config=${jaas} unsecuredLoginStringClaim_sub="alice";`,
      '--set',
      `listener.name.sasl_ssl.oauthbearer.sasl.jaas.config=${jaas} unsecuredLoginStringClaim_sub="alice";`,
    )
    ca = join(broker.dir, 'tls', 'ca.pem')
  }, 300_000)
  afterAll(async () => {
    for (const server of servers) server.close()
    await broker?.stop()
  }, 300_000)

  const plain = (more: object = {}) => ({
    'bootstrap.servers': broker.listener('SASL'),
    'security.protocol': 'SASL_PLAINTEXT',
    'sasl.mechanism': 'PLAIN',
    ...LOGIN,
    ...more,
  })
  const tls = (more: object = {}) => ({
    'bootstrap.servers': broker.listener('SSL'),
    'security.protocol': 'SSL',
    'ssl.ca.location': ca,
    ...more,
  })
  const both = (mechanism: string) => ({
    ...tls(),
    'bootstrap.servers': broker.listener('SASL_SSL'),
    'security.protocol': 'SASL_SSL',
    'sasl.mechanism': mechanism,
    ...LOGIN,
  })
  const reaches = async (config: Readonly<Record<string, unknown>>) => {
    const log = await openLog(config, { clock })
    try {
      return (await log.listTopics()).length >= 0
    } finally {
      await log.close()
    }
  }
  /** What it says, and every log line, none of which may hold a secret. */
  const refusal = async (config: Readonly<Record<string, unknown>>) => {
    const lines: string[] = []
    const failure = await openLog(config, { clock, report: (_, line) => lines.push(line) }).then(
      () => undefined,
      (error: unknown) => error as Error & { code: string; retriable: boolean },
    )
    const all = [...lines, failure?.message, JSON.stringify(failure)].join('\n')
    for (const secret of ['alice-secret', 'wrong-one', 'client-secret']) expect(all).not.toContain(secret)
    expect(failure?.message).not.toContain('\n')
    return failure
  }
  /** An OAuth 2 token endpoint with one client. */
  const tokenEndpoint = async (holdsSeconds = 3600) => {
    const asked: string[] = []
    const server = createServer((request, response) => {
      let body = ''
      request.on('data', (chunk) => {
        body += chunk
      })
      request.on('end', () => {
        asked.push(body)
        const isKnown = request.headers.authorization === `Basic ${btoa('app:client-secret')}`
        response.statusCode = isKnown ? 200 : 401
        const now = Math.floor(clock.now() / 1000)
        const token = unsigned({ sub: 'alice', iat: now, exp: now + 3600 })
        const answer = isKnown ? { access_token: token, expires_in: holdsSeconds } : { error: 'invalid_client' }
        response.end(JSON.stringify(answer))
      })
    })
    servers.push(server)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/token?tenant=1`, asked }
  }
  const bearer = (url: string, secret = 'client-secret') => ({
    'bootstrap.servers': broker.listener('SASL'),
    'security.protocol': 'SASL_PLAINTEXT',
    'sasl.mechanism': 'OAUTHBEARER',
    [ENDPOINT]: url,
    [CLIENT_ID]: 'app',
    [CLIENT_SECRET]: secret,
  })

  it('reaches it by SASL, by TLS, and by both, with each mechanism', async () => {
    expect(await reaches(plain())).toBe(true)
    expect(await reaches(plain({ 'sasl.mechanism': 'SCRAM-SHA-256' }))).toBe(true)
    expect(await reaches(tls())).toBe(true)
    for (const mechanism of ['PLAIN', 'SCRAM-SHA-512']) expect(await reaches(both(mechanism))).toBe(true)
  }, 300_000)

  it('runs a topology exactly once over TLS and SASL: fetch, transaction, offsets', async () => {
    const log = await openLog(plain(), { clock })
    await log.createTopic('in', 1)
    await log.createTopic('out', 1)
    const record = { topic: 'in', partition: 0, key: null, timestamp: clock.now(), headers: [] }
    await log.append([{ ...record, value: new TextEncoder().encode('hello') }])
    const topology = new Topology()
      .addSource('read', Consumed.with(string, string).withMaxAhead(60_000), 'in')
      .addSink('write', 'out', Produced.with(string, string), 'read')
    let committed: () => void
    const done = new Promise<void>((resolve) => {
      committed = resolve
    })
    const config = { 'application.id': 'secured', 'commit.interval.ms': 20, ...both('SCRAM-SHA-512') }
    const onEngine = ({
      events,
    }: {
      readonly events: { on(types: readonly ['epoch-committed'], tell: () => void): void }
    }) => events.on(['epoch-committed'], () => committed())
    const app = await run(topology, config, { onEngine, report: () => {} })
    await done
    await app.stop()
    const { records } = await log.read('out', 0, 0, 10)
    expect(records.map(({ value }) => new TextDecoder().decode(value ?? undefined))).toEqual(['hello'])
    await log.close()
  }, 300_000)

  it.each(['PLAIN', 'SCRAM-SHA-256', 'SCRAM-SHA-512'])(
    'says in one line that the broker refused a wrong password, with %s',
    async (mechanism) => {
      const failure = await refusal(plain({ 'sasl.mechanism': mechanism, 'sasl.password': 'wrong-one' }))
      expect(failure).toMatchObject({ code: 'LOG_UNAVAILABLE', retriable: false })
      expect(failure?.message).toMatch(/^Kafka at \S+ refused the login: .*(credentials|password)/i)
    },
    300_000,
  )

  it('says in one line that a certificate is of an unknown authority, and what to set', async () => {
    const unknown = /^Kafka at \S+ shows a certificate that is not trusted \(.*\): give .* as ssl\.ca\.location$/
    const untold = await refusal(tls({ 'ssl.ca.location': undefined }))
    expect(untold).toMatchObject({ code: 'LOG_UNAVAILABLE', retriable: false })
    expect(untold?.message).toMatch(unknown)
    const other = join(broker.dir, 'other.pem')
    await writeFile(other, rootCertificates[0] ?? '')
    expect((await refusal(tls({ 'ssl.ca.location': other })))?.message).toMatch(unknown)
  }, 300_000)

  it('names a certificate file that is missing, or is none', async () => {
    expect((await refusal(tls({ 'ssl.ca.location': '/nowhere/ca.pem' })))?.message).toMatch(
      /^"ssl\.ca\.location" is "\/nowhere\/ca\.pem", which does not exist: give/,
    )
    const file = join(broker.dir, 'server.properties')
    expect((await refusal(tls({ 'ssl.ca.location': file })))?.message).toMatch(/which is no PEM file/)
  })

  it('holds a certificate to the host that was asked for, unless told not to', async () => {
    // The certificate is for localhost and 127.0.0.1.
    const [host = '', port] = broker.listener('SSL').split(':')
    const proxy = createProxy((socket) => {
      const onward = connect(Number(port), host)
      for (const end of [socket, onward]) end.on('error', () => end.destroy())
      socket.pipe(onward).pipe(socket)
    })
    servers.push(proxy)
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.2', resolve))
    const config = tls({ 'bootstrap.servers': `127.0.0.2:${(proxy.address() as AddressInfo).port}` })
    expect((await refusal(config))?.message).toMatch(
      /not trusted \(.*127\.0\.0\.2.*\): ask .* or set ssl\.endpoint\.identification\.algorithm to none$/,
    )
    expect(await reaches({ ...config, 'ssl.endpoint.identification.algorithm': 'none' })).toBe(true)
  }, 300_000)

  it('reaches it with a token, which serves all connections while it holds', async () => {
    const { url, asked } = await tokenEndpoint()
    expect(await reaches({ ...bearer(url), 'sasl.oauthbearer.scope': 'kafka' })).toBe(true)
    expect(asked).toEqual(['grant_type=client_credentials&scope=kafka'])
    const short = await tokenEndpoint(30)
    expect(await reaches(bearer(short.url))).toBe(true)
    expect(short.asked.length).toBeGreaterThan(1)
  }, 300_000)

  it('says in one line that the token endpoint refused the client, or is not there', async () => {
    const { url } = await tokenEndpoint()
    expect((await refusal(bearer(url, 'wrong-one')))?.message).toMatch(
      /^The token endpoint http:\S+\/token answered 401 \(invalid_client\): check client id, client secret and scope$/,
    )
    expect((await refusal(bearer('http://127.0.0.1:1/token')))?.message).toMatch(
      /^The token endpoint http:\/\/127\.0\.0\.1:1\/token does not answer \(/,
    )
  }, 300_000)
})
