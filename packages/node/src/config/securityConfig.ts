import { configInvalid, configProblem, optionalText } from './configProblem.js'
import { hostKeys } from './hostKeys.js'
import { jaasOptions } from './jaasOptions.js'

const PROTOCOLS = ['PLAINTEXT', 'SSL', 'SASL_PLAINTEXT', 'SASL_SSL'] as const
const MECHANISMS = ['PLAIN', 'SCRAM-SHA-256', 'SCRAM-SHA-512', 'OAUTHBEARER'] as const
const CLIENT_ID = 'sasl.oauthbearer.client.credentials.client.id'
const CLIENT_SECRET = 'sasl.oauthbearer.client.credentials.client.secret'
const TOKEN_URL = 'sasl.oauthbearer.token.endpoint.url'
const HOST_CHECK = 'ssl.endpoint.identification.algorithm'

/** How the connection is encrypted. Files are PEM. */
export interface TlsConfig {
  /** Default: the authorities that Node trusts. */
  readonly caFile?: string
  /** What the application shows of itself, for brokers that ask. */
  readonly own?: { readonly certificateFile: string; readonly keyFile: string; readonly keyPassword?: string }
  /** Whether the broker's certificate must be for the host that was asked for. */
  readonly checksHost: boolean
}

/** How the application says who it is. */
export type SaslConfig =
  | {
      readonly mechanism: 'PLAIN' | 'SCRAM-SHA-256' | 'SCRAM-SHA-512'
      readonly username: string
      readonly password: string
    }
  | ({ readonly mechanism: 'OAUTHBEARER' } & TokenRequest)

/** What a token endpoint is asked with: OAuth 2's client credentials. */
export interface TokenRequest {
  readonly url: string
  readonly clientId: string
  readonly clientSecret: string
  readonly scope?: string
}

export interface SecurityConfig {
  readonly tls?: TlsConfig
  readonly sasl?: SaslConfig
}

type Config = Readonly<Record<string, unknown>>

/**
 * Reads `security.protocol` (default PLAINTEXT), `ssl.…` and `sasl.…`. Keys of these families that are not read here are
 * refused, and so is what the protocol would leave unused: nobody is to believe in an encryption that is not there.
 *
 * @throws StreamError CONFIG_INVALID naming the key, and no secret
 */
export function readSecurityConfig(config: Config): SecurityConfig {
  const protocol = oneOf(config, 'security.protocol', PROTOCOLS, 'PLAINTEXT')
  const given = Object.keys(config).filter((key) => config[key] !== undefined && /^(security|ssl|sasl)\./.test(key))
  const known: readonly string[] = hostKeys
  const unknown = given.find((key) => !known.includes(key))
  if (unknown !== undefined) {
    const family = known.filter((key) => key.startsWith(unknown.slice(0, unknown.indexOf('.') + 1)))
    throw configInvalid(`"${unknown}" is not a configuration key. Of its family there are ${family.join(', ')}`)
  }
  const hasTls = protocol.endsWith('SSL')
  const hasSasl = protocol.startsWith('SASL')
  refuseUnused(given, 'ssl.', hasTls, protocol, hasSasl ? 'SASL_SSL' : 'SSL or SASL_SSL')
  refuseUnused(given, 'sasl.', hasSasl, protocol, hasTls ? 'SASL_SSL' : 'SASL_SSL or SASL_PLAINTEXT')
  return {
    ...(hasTls ? { tls: readTls(config) } : {}),
    ...(hasSasl ? { sasl: readSasl(config) } : {}),
  }
}

function refuseUnused(
  given: readonly string[],
  prefix: string,
  isUsed: boolean,
  protocol: string,
  wanted: string,
): void {
  const unused = given.find((key) => key.startsWith(prefix))
  if (isUsed || unused === undefined) return
  throw configInvalid(`"${unused}" is given, and security.protocol is ${protocol}: set it to ${wanted}`)
}

function readTls(config: Config): TlsConfig {
  const caFile = optionalText(config, 'ssl.ca.location')
  const certificateFile = optionalText(config, 'ssl.certificate.location')
  const keyFile = optionalText(config, 'ssl.key.location')
  const keyPassword = optionalText(config, 'ssl.key.password')
  if ((certificateFile === undefined) !== (keyFile === undefined)) {
    throw configInvalid('"ssl.certificate.location" and "ssl.key.location" belong together: give both, or neither')
  }
  const algorithm = config[HOST_CHECK] ?? 'https'
  if (algorithm !== 'https' && algorithm !== '' && algorithm !== 'none') {
    throw configProblem(HOST_CHECK, algorithm, 'give https, or none to take a certificate of any host')
  }
  const own =
    certificateFile === undefined || keyFile === undefined
      ? undefined
      : { certificateFile, keyFile, ...(keyPassword === undefined ? {} : { keyPassword }) }
  return {
    checksHost: algorithm === 'https',
    ...(caFile === undefined ? {} : { caFile }),
    ...(own === undefined ? {} : { own }),
  }
}

function readSasl(config: Config): SaslConfig {
  const mechanism = oneOf(config, 'sasl.mechanism', MECHANISMS, undefined)
  const jaas = jaasOptions(optionalText(config, 'sasl.jaas.config'))
  const read = (key: string, inJaas: string) => {
    const value = optionalText(config, key) ?? jaas.get(inJaas)
    if (value !== undefined) return value
    throw configInvalid(`"${key}" is missing: sasl.mechanism ${mechanism} needs it`)
  }
  if (mechanism !== 'OAUTHBEARER') {
    return { mechanism, username: read('sasl.username', 'username'), password: read('sasl.password', 'password') }
  }
  const scope = optionalText(config, 'sasl.oauthbearer.scope') ?? jaas.get('scope')
  return {
    mechanism,
    url: httpUrl(read(TOKEN_URL, TOKEN_URL)),
    clientId: read(CLIENT_ID, 'clientId'),
    clientSecret: read(CLIENT_SECRET, 'clientSecret'),
    ...(scope === undefined ? {} : { scope }),
  }
}

function httpUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') {
    throw configProblem(TOKEN_URL, text, 'give a URL, such as https://login.example.com/oauth/token')
  }
  if (url.username !== '' || url.password !== '') {
    throw configInvalid(`"${TOKEN_URL}" has a user or password in it: give them as ${CLIENT_ID} and ${CLIENT_SECRET}`)
  }
  return text
}

function oneOf<T extends string>(config: Config, key: string, names: readonly T[], otherwise: T | undefined): T {
  const value = config[key] ?? otherwise
  const found = names.find((name) => typeof value === 'string' && name === value.toUpperCase())
  if (found !== undefined) return found
  const wanted = `one of ${names.join(', ')}`
  throw value === undefined
    ? configInvalid(`"${key}" is missing: give ${wanted}`)
    : configProblem(key, value, `give ${wanted}`)
}
