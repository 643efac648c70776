import { readFile } from 'node:fs/promises'
import type { ConnectionOptions } from 'node:tls'
import type { Clock } from '@lanescope/core'
import type { KafkaConfig } from 'kafkajs'
import { configInvalid, whyUnreadable } from '../config/configProblem.js'
import type { SaslConfig, SecurityConfig, TlsConfig } from '../config/securityConfig.js'
import { TokenSource } from './TokenSource.js'

/**
 * What kafkajs is told of TLS and SASL. Reads the files.
 *
 * @throws StreamError CONFIG_INVALID naming a file that cannot be read
 */
export async function clientSecurity(
  { tls, sasl }: SecurityConfig,
  clock: Clock,
): Promise<Pick<KafkaConfig, 'ssl' | 'sasl'>> {
  return {
    ...(tls === undefined ? {} : { ssl: await tlsOptions(tls) }),
    ...(sasl === undefined ? {} : { sasl: saslOptions(sasl, clock) }),
  }
}

async function tlsOptions({ caFile, own, checksHost }: TlsConfig): Promise<ConnectionOptions> {
  return {
    ...(caFile === undefined ? {} : { ca: await pem('ssl.ca.location', caFile) }),
    ...(own === undefined
      ? {}
      : {
          cert: await pem('ssl.certificate.location', own.certificateFile),
          key: await pem('ssl.key.location', own.keyFile),
          ...(own.keyPassword === undefined ? {} : { passphrase: own.keyPassword }),
        }),
    ...(checksHost ? {} : { checkServerIdentity: () => undefined }),
  }
}

function saslOptions(sasl: SaslConfig, clock: Clock): NonNullable<KafkaConfig['sasl']> {
  switch (sasl.mechanism) {
    case 'PLAIN':
      return { mechanism: 'plain', username: sasl.username, password: sasl.password }
    case 'SCRAM-SHA-256':
      return { mechanism: 'scram-sha-256', username: sasl.username, password: sasl.password }
    case 'SCRAM-SHA-512':
      return { mechanism: 'scram-sha-512', username: sasl.username, password: sasl.password }
    case 'OAUTHBEARER': {
      const tokens = new TokenSource(sasl, clock)
      return { mechanism: 'oauthbearer', oauthBearerProvider: () => tokens.token().then(asAnswer, asFinal) }
    }
  }
}

function asAnswer(value: string): { readonly value: string } {
  return { value }
}

/**
 * kafkajs would try a retriable error again on the same connection, where the broker refuses a second beginning. What
 * the error says of itself stays readable as its cause.
 */
function asFinal(error: unknown): never {
  throw Object.assign(new Error('No token', { cause: error }), { retriable: false })
}

async function pem(key: string, file: string): Promise<string> {
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (error) {
    throw configInvalid(`"${key}" is ${JSON.stringify(file)}, ${whyUnreadable(error as NodeJS.ErrnoException)}`, error)
  }
  if (text.includes('-----BEGIN ')) return text
  throw configInvalid(`"${key}" is ${JSON.stringify(file)}, which is no PEM file: convert it, for example with openssl`)
}
