/** Keys of a configuration that the engine does not read, and whoever hosts it does. */
export const hostKeys = [
  'bootstrap.servers',
  'client.id',
  'auto.offset.reset',
  'producer.compression.type',
  'producer.transaction.timeout.ms',
  'embedded.log.dir',
  'state.dir',
  'state.cache.max.bytes',
  'state.buffer.max.bytes',
  'security.protocol',
  'ssl.ca.location',
  'ssl.certificate.location',
  'ssl.key.location',
  'ssl.key.password',
  'ssl.endpoint.identification.algorithm',
  'sasl.mechanism',
  'sasl.username',
  'sasl.password',
  'sasl.jaas.config',
  'sasl.oauthbearer.token.endpoint.url',
  'sasl.oauthbearer.client.credentials.client.id',
  'sasl.oauthbearer.client.credentials.client.secret',
  'sasl.oauthbearer.scope',
  'http.port',
  'http.host',
  'log.format',
] as const

export type HostKey = (typeof hostKeys)[number]

/** Whether its value must not be shown: by its name, so that a key that nobody knows is covered, too. */
export function isSecret(key: string): boolean {
  return /password|secret|jaas|token(?!\.endpoint)/i.test(key)
}
