import { describe, expect, it } from 'vitest'
import { readSecurityConfig } from './securityConfig.js'

const refused = (config: Readonly<Record<string, unknown>>) => {
  try {
    readSecurityConfig(config)
  } catch (error) {
    return (error as Error).message
  }
  return 'taken'
}
const LOGIN = { 'sasl.mechanism': 'PLAIN', 'sasl.username': 'alice', 'sasl.password': 'hush' }
const TOKEN = {
  'security.protocol': 'SASL_SSL',
  'sasl.mechanism': 'OAUTHBEARER',
  'sasl.oauthbearer.token.endpoint.url': 'https://login.example/token',
  'sasl.oauthbearer.client.credentials.client.id': 'app',
  'sasl.oauthbearer.client.credentials.client.secret': 'hush',
}

describe('TLS and SASL in a configuration', () => {
  it('are off unless asked for', () => {
    expect(readSecurityConfig({ 'bootstrap.servers': 'a:1' })).toEqual({})
    expect(readSecurityConfig({ 'security.protocol': 'PLAINTEXT' })).toEqual({})
  })

  it('are each what the protocol says', () => {
    expect(readSecurityConfig({ 'security.protocol': 'SSL' })).toEqual({ tls: { checksHost: true } })
    const sasl = { mechanism: 'PLAIN', username: 'alice', password: 'hush' }
    expect(readSecurityConfig({ 'security.protocol': 'SASL_PLAINTEXT', ...LOGIN })).toEqual({ sasl })
    expect(readSecurityConfig({ 'security.protocol': 'sasl_ssl', ...LOGIN })).toEqual({
      tls: { checksHost: true },
      sasl,
    })
  })

  it('take files of an authority, of a certificate and of its key', () => {
    const config = {
      'security.protocol': 'SSL',
      'ssl.ca.location': 'ca.pem',
      'ssl.certificate.location': 'me.pem',
      'ssl.key.location': 'me.key',
      'ssl.key.password': 'hush',
      'ssl.endpoint.identification.algorithm': '',
    }
    expect(readSecurityConfig(config)).toEqual({
      tls: {
        caFile: 'ca.pem',
        own: { certificateFile: 'me.pem', keyFile: 'me.key', keyPassword: 'hush' },
        checksHost: false,
      },
    })
    expect(refused({ ...config, 'ssl.key.location': undefined })).toMatch(/belong together/)
    expect(refused({ ...config, 'ssl.certificate.location': undefined })).toMatch(/belong together/)
    expect(readSecurityConfig({ ...config, 'ssl.endpoint.identification.algorithm': 'none' }).tls?.checksHost).toBe(
      false,
    )
    expect(readSecurityConfig({ ...config, 'ssl.endpoint.identification.algorithm': 'https' }).tls?.checksHost).toBe(
      true,
    )
    expect(refused({ ...config, 'ssl.endpoint.identification.algorithm': 'off' })).toMatch(/"off": give https, or none/)
  })

  it.each(['PLAIN', 'SCRAM-SHA-256', 'SCRAM-SHA-512'])(
    '%s takes user and password, in Kafka’s jaas too',
    (mechanism) => {
      const base = { 'security.protocol': 'SASL_PLAINTEXT', 'sasl.mechanism': mechanism }
      const jaas = String.raw`org.apache.kafka.common.security.plain.PlainLoginModule required username="al\"ice" password="x;`
      const sasl = { mechanism, username: 'al"ice', password: 'hu;sh\\' }
      const good = String.raw`  some.Module required
      username="al\"ice" password = 'hu;sh\\' ;`
      expect(readSecurityConfig({ ...base, 'sasl.jaas.config': good })).toEqual({ sasl })
      expect(readSecurityConfig({ ...base, 'sasl.jaas.config': 'a.B required username=u password=p;' })).toEqual({
        sasl: { mechanism, username: 'u', password: 'p' },
      })
      // The plain keys are the nearer ones.
      expect(readSecurityConfig({ ...base, 'sasl.jaas.config': good, 'sasl.password': 'x' })).toMatchObject({
        sasl: { username: 'al"ice', password: 'x' },
      })
      expect(refused({ ...base, 'sasl.jaas.config': jaas })).toMatch(/^"sasl.jaas.config" cannot be read: (?!.*al)/)
      expect(refused({ ...base, 'sasl.username': 'u' })).toMatch(/^"sasl.password" is missing: .*needs it$/)
      expect(refused({ ...base, 'sasl.password': 'u' })).toMatch(/^"sasl.username" is missing: /)
    },
  )

  it('OAUTHBEARER takes a token endpoint and the client’s credentials', () => {
    const sasl = { mechanism: 'OAUTHBEARER', url: 'https://login.example/token', clientId: 'app', clientSecret: 'hush' }
    expect(readSecurityConfig(TOKEN)).toMatchObject({ sasl })
    expect(readSecurityConfig({ ...TOKEN, 'sasl.oauthbearer.scope': 'kafka' }).sasl).toEqual({
      ...sasl,
      scope: 'kafka',
    })
    const { 'security.protocol': protocol, 'sasl.mechanism': mechanism } = TOKEN
    const short = {
      'security.protocol': protocol,
      'sasl.mechanism': mechanism,
      'sasl.oauthbearer.token.endpoint.url': sasl.url,
      'sasl.jaas.config': 'a.B required clientId="app" clientSecret="hush" scope="kafka";',
    }
    expect(readSecurityConfig(short).sasl).toEqual({ ...sasl, scope: 'kafka' })
    const url = 'sasl.oauthbearer.token.endpoint.url'
    expect(refused({ ...TOKEN, [url]: 'login' })).toMatch(/"login": give a URL/)
    expect(refused({ ...TOKEN, [url]: 'file:///token' })).toMatch(/give a URL/)
    expect(refused({ ...TOKEN, [url]: 'https://a:hush@b/' })).toMatch(/has a user or password in it/)
    expect(refused({ ...TOKEN, [url]: 'https://a:hush@b/' })).not.toContain('hush')
    expect(refused({ ...TOKEN, [url]: undefined })).toContain(`"${url}" is missing`)
  })

  it('refuse what the protocol would leave unused, so that nobody believes in it', () => {
    expect(refused(LOGIN)).toMatch(
      /^"sasl.mechanism" is given, and security.protocol is PLAINTEXT: set it to SASL_SSL or/,
    )
    expect(refused({ 'security.protocol': 'SSL', ...LOGIN })).toMatch(/security.protocol is SSL: set it to SASL_SSL$/)
    expect(refused({ 'ssl.ca.location': 'x' })).toMatch(/security.protocol is PLAINTEXT: set it to SSL or SASL_SSL$/)
    expect(refused({ 'security.protocol': 'SASL_PLAINTEXT', ...LOGIN, 'ssl.ca.location': 'x' })).toMatch(
      /is SASL_PLAINTEXT: set it to SASL_SSL$/,
    )
  })

  it('refuse names and values that are not known, and show no secret', () => {
    expect(refused({ 'security.protocol': 'TLS' })).toMatch(
      /"TLS": give one of PLAINTEXT, SSL, SASL_PLAINTEXT, SASL_SSL/,
    )
    expect(refused({ 'security.protocol': 'SASL_SSL' })).toMatch(/"sasl.mechanism" is missing: give one of PLAIN,/)
    expect(refused({ 'security.protocol': 'SASL_SSL', 'sasl.mechanism': 'GSSAPI' })).toMatch(/"GSSAPI": give one of/)
    expect(refused({ 'security.protocol': 'SSL', 'ssl.truststore.location': 'x' })).toMatch(
      /^"ssl.truststore.location" is not a configuration key. Of its family there are ssl.ca.location, /,
    )
    const wrong = refused({ 'security.protocol': 'SASL_SSL', ...LOGIN, 'sasl.password': ['hush'] })
    expect(wrong).toBe('"sasl.password" is not usable: give a text that is not empty')
  })
})
