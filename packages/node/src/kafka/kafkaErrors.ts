import {
  StreamError,
  type StreamErrorCode,
  type StreamErrorContext,
  type TopicPartition,
  topicMissing,
} from '@lanescope/core'

/** What is read of a kafkajs error. Its classes are not told apart by `instanceof`, since the client is loaded late. */
interface KafkaJsError extends Error {
  readonly type?: string
  readonly code?: string
  readonly retriable?: boolean
  readonly cause?: KafkaJsError
}

const UNREACHABLE = new Set([
  'KafkaJSConnectionError',
  'KafkaJSConnectionClosedError',
  'KafkaJSRequestTimeoutError',
  'KafkaJSBrokerNotFound',
  'KafkaJSNoBrokerAvailableError',
  'KafkaJSGroupCoordinatorNotFound',
  'KafkaJSNumberOfRetriesExceeded',
])

const GIVE_AUTHORITY = 'give the PEM file of its authority as ssl.ca.location'

/** What Node says of a certificate that it does not take, and what to do. */
const DISTRUST: { readonly [code: string]: string | undefined } = {
  DEPTH_ZERO_SELF_SIGNED_CERT: GIVE_AUTHORITY,
  SELF_SIGNED_CERT_IN_CHAIN: GIVE_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT: GIVE_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: GIVE_AUTHORITY,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: GIVE_AUTHORITY,
  CERT_HAS_EXPIRED: 'renew the certificate of the broker',
  CERT_NOT_YET_VALID: 'set the clock of this machine, or of the one that made the certificate',
  ERR_TLS_CERT_ALTNAME_INVALID:
    'ask for it by a name in its certificate, or set ssl.endpoint.identification.algorithm to none',
}

/** The error that the others were wrapped around. */
export function rootOf(error: unknown): KafkaJsError {
  let root = error as KafkaJsError
  while (root.cause instanceof Error) root = root.cause
  return root
}

/** The error of a call to the broker, in our words; a StreamError stays as it is. */
export function fromKafka(error: unknown, servers: readonly string[], context: StreamErrorContext = {}): StreamError {
  if (error instanceof StreamError) return error
  const root = rootOf(error)
  if (root instanceof StreamError) return root
  const { type } = root
  if (type === 'UNKNOWN_TOPIC_OR_PARTITION' && context.topic !== undefined) {
    return topicMissing([context.topic], whereOf(servers))
  }
  const settings = wrongSettings(root)
  if (settings !== undefined) {
    return kafkaError('LOG_UNAVAILABLE', `${whereOf(servers)} ${settings}`, false, error, context)
  }
  const distrust = DISTRUST[root.code ?? '']
  if (distrust !== undefined) {
    const message = `${whereOf(servers)} shows a certificate that is not trusted (${root.message}): ${distrust}`
    return kafkaError('LOG_UNAVAILABLE', message, false, error, context)
  }
  if (type === undefined && (UNREACHABLE.has(root.name) || 'syscall' in root))
    return unreachable(servers, root.message, error)
  const code = type === 'INVALID_TIMESTAMP' || type === 'MESSAGE_TOO_LARGE' ? 'PRODUCTION_FAILED' : 'LOG_UNAVAILABLE'
  const named = type === undefined ? root.message : `${root.message} (${type})`
  return kafkaError(code, `${whereOf(servers)} answered: ${named}`, root.retriable ?? true, error, context)
}

/** What the broker does not take of the configuration, and which keys to look at. */
function wrongSettings({ name, message, type }: KafkaJsError): string | undefined {
  if (name === 'KafkaJSSASLAuthenticationError') {
    return `refused the login: ${message}. Correct what sasl.… says of user and password, or of client and secret`
  }
  switch (type) {
    case 'UNSUPPORTED_SASL_MECHANISM':
      return 'does not know this way to log in: set sasl.mechanism to one that its listener has enabled'
    case 'ILLEGAL_SASL_STATE':
      return 'asks for no login at this address: set security.protocol to PLAINTEXT, or to SSL where it is encrypted'
    case 'INVALID_TRANSACTION_TIMEOUT':
      return (
        'does not let a transaction be open for so long: lower producer.transaction.timeout.ms, or raise ' +
        'transaction.max.timeout.ms of the brokers, which is 900000 unless somebody has set it'
      )
    default:
      return undefined
  }
}

/** One line for whoever started it: which servers, and what to look at. */
export function unreachable(servers: readonly string[], detail: string, cause?: unknown): StreamError {
  return kafkaError(
    'LOG_UNAVAILABLE',
    `No Kafka broker answers at ${servers.join(',')} (${detail}). Start it, or correct bootstrap.servers (and security.protocol: a broker that asks for TLS or a login gives no other answer); leave it out to run on the embedded log`,
    true,
    cause,
  )
}

/** Another process reads with this application.id. */
export function takenByAnother(applicationId: string, who: string): StreamError {
  return kafkaError(
    'LOG_LOCKED',
    `Application "${applicationId}" is already running: ${who} is in its consumer group. Stop that instance, or set another application.id`,
    false,
  )
}

/** The group was formed anew while this session read, and not with it alone: a restart in place asks again who has it (E10). */
export function joinedAnew(applicationId: string, how: string): StreamError {
  return kafkaError(
    'LOG_UNAVAILABLE',
    `The consumer group of "${applicationId}" was formed anew ${how}: what was not committed is done again, from the positions that the group has now`,
    true,
  )
}

/** A topic is read that is another one by now, under the same name (E13). */
export function madeAnew(servers: readonly string[], topic: string, acceptsGaps: boolean): StreamError {
  return kafkaError(
    'STATE_MISMATCH',
    `Topic "${topic}" on ${whereOf(servers)} was made anew while it was read, so the positions are not of what is there now. A start ` +
      'tells the gap; to go on at the beginning of what is there, set source.offset-gap: accept',
    // Where gaps are accepted, the restart goes on at the beginning.
    acceptsGaps,
    undefined,
    { topic },
  )
}

/** Topics that are read are there no more. */
export function topicGone(servers: readonly string[], topics: readonly string[]): StreamError {
  const names = topics.map((topic) => `"${topic}"`).join(', ')
  const [were, them] = topics.length === 1 ? [`Topic ${names} was`, 'it'] : [`Topics ${names} were`, 'them']
  return kafkaError(
    'TOPIC_MISSING',
    `${were} deleted from ${whereOf(servers)} while the application ran. Make ${them} again and start; the start tells what is lost`,
    true,
    undefined,
    { topic: topics.join(',') },
  )
}

/** A partition did not give its next position, and holds it when asked: its leader may have just been chosen. */
export function heldAllTheSame(servers: readonly string[], { topic, partition }: TopicPartition): StreamError {
  const message = `${whereOf(servers)} did not give "${topic}" partition ${partition}, though it holds the position; reading begins anew`
  return kafkaError('LOG_UNAVAILABLE', message, true, undefined, { topic, partition })
}

/** What is to be read next is not there any more (E13). */
export function positionLost(
  servers: readonly string[],
  { topic, partition }: TopicPartition,
  at: number | undefined,
  acceptsGaps: boolean,
): StreamError {
  const message =
    `${whereOf(servers)} does not hold "${topic}" partition ${partition} at ${at}, which is to be read next: records ` +
    'before it were deleted unread, or the topic was made anew. A start tells the gap; to go on without them, set ' +
    'source.offset-gap: accept'
  // Where gaps are accepted, the restart goes on at the beginning.
  return kafkaError('STATE_MISMATCH', message, acceptsGaps, undefined, { topic, partition })
}

/** A topic has got a partition that the client has not heard of. Another try asks for the partitions anew. */
export function partitionUnknown(
  servers: readonly string[],
  { topic, partition }: { readonly topic: string; readonly partition: number },
): StreamError {
  const message = `${whereOf(servers)} has not told this client of partition ${partition} of "${topic}", so nothing was sent to it`
  return kafkaError('LOG_UNAVAILABLE', message, true, undefined, { topic, partition })
}

export function whereOf(servers: readonly string[]): string {
  return `Kafka at ${servers.join(',')}`
}

function kafkaError(
  code: StreamErrorCode,
  message: string,
  retriable: boolean,
  cause?: unknown,
  context: StreamErrorContext = {},
): StreamError {
  return new StreamError(message, { code, kind: 'operational', retriable, context, cause })
}
