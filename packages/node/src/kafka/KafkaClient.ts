import type { Clock } from '@lanescope/core'
import type * as KafkaJs from 'kafkajs'
import type { Admin, Kafka, LogEntry } from 'kafkajs'
import type { Codec } from '../config/logConfig.js'
import type { SecurityConfig } from '../config/securityConfig.js'
import type { LogReport } from '../LogReport.js'
import { clientSecurity } from './clientSecurity.js'
import { fromKafka, unreachable } from './kafkaErrors.js'
import { loadKafkaJs } from './loadKafkaJs.js'
import type { CodecModule, CodecOf } from './records/recordBatch.js'
import { withDeadline } from './withDeadline.js'

const ANSWER_MS = 5_000
const TELL_AGAIN_MS = 60_000

export interface KafkaClientOptions {
  readonly servers: readonly string[]
  readonly clientId: string
  /** Whether nobody else alive has this client id, because it is that of a state folder which this process has locked (E5). */
  readonly isOwn?: true
  readonly codec: Codec
  /** `source.offset-gap: accept`. Default: no. */
  readonly acceptsGaps?: boolean
  /** Whether each commit is one transaction (E1). */
  readonly exactlyOnce: boolean
  /** How long the broker lets a transaction be open, in ms. */
  readonly transactionTimeoutMs: number
  /** TLS and SASL. Default: neither. */
  readonly security?: SecurityConfig
}

/** Answers come back after a broker's restart without the consumer's crash, and a send waits for it. */
export const RETRY = { initialRetryTime: 20, retries: 20, maxRetryTime: 1000 } as const
/** Enough to tell a broker that starts from one that is not there. */
const CONNECT_RETRY = { initialRetryTime: 100, retries: 3, maxRetryTime: 500 } as const

/** The connection settings of one cluster, and the kafkajs that was loaded for it. */
export class KafkaClient {
  readonly kafka: Kafka
  #lastToldAt: number | undefined
  #leaving = 0

  private constructor(
    readonly kafkajs: typeof KafkaJs,
    readonly options: KafkaClientOptions,
    readonly clock: Clock,
    readonly report: LogReport,
    private readonly security: Pick<KafkaJs.KafkaConfig, 'ssl' | 'sasl'>,
  ) {
    this.kafka = this.#client(RETRY, 'ERROR')
  }

  /**
   * Loads the client and asks the cluster for its brokers.
   *
   * @throws StreamError LOG_UNAVAILABLE within about 5 s when none answers, or when login or certificate are refused;
   *   CONFIG_INVALID for a certificate that cannot be read
   */
  static async connect(
    options: KafkaClientOptions,
    clock: Clock,
    report: LogReport,
  ): Promise<{ client: KafkaClient; admin: Admin }> {
    const security = await clientSecurity(options.security ?? {}, clock)
    const client = new KafkaClient(loadKafkaJs(), options, clock, report, security)
    await client.probe()
    const admin = client.kafka.admin()
    await admin.connect()
    return { client, admin }
  }

  get servers(): readonly string[] {
    return this.options.servers
  }

  /** Leaves the cluster, or a part of it. A connection that breaks meanwhile, or was only being made, is no news. */
  async leave<T>(work: () => Promise<T>): Promise<T> {
    this.#leaving++
    try {
      return await work()
    } finally {
      this.#leaving--
    }
  }

  /** The codec of a batch of records, by its number; undefined for none. */
  readonly codecOf: CodecOf = (number) => {
    const codecs = this.kafkajs.CompressionCodecs as { readonly [number: number]: (() => CodecModule) | undefined }
    return codecs[number]?.()
  }

  get compression(): KafkaJs.CompressionTypes {
    const { GZIP, Snappy, LZ4, ZSTD, None } = this.kafkajs.CompressionTypes
    return { none: None, gzip: GZIP, snappy: Snappy, lz4: LZ4, zstd: ZSTD }[this.options.codec]
  }

  /**
   * Asks the cluster for its brokers, over a connection of its own.
   *
   * @throws StreamError LOG_UNAVAILABLE within about 5 s when none answers
   */
  async probe(): Promise<void> {
    // Its error is the one line that is told.
    const admin = this.#client(CONNECT_RETRY, 'NOTHING').admin()
    const asking = admin.connect().then(() => admin.describeCluster())
    try {
      await withDeadline(this.clock, ANSWER_MS, asking, () =>
        unreachable(this.servers, `no answer within ${ANSWER_MS / 1000} s`),
      )
    } catch (error) {
      throw fromKafka(error, this.servers)
    } finally {
      // A broker that hangs would keep the farewell waiting too.
      admin.disconnect().catch((error: unknown) => this.report('info', `Kafka: ${String(error)}`))
    }
  }

  #client(retry: KafkaJs.RetryOptions, level: 'ERROR' | 'NOTHING'): Kafka {
    const { servers, clientId } = this.options
    return new this.kafkajs.Kafka({
      clientId,
      brokers: [...servers],
      connectionTimeout: 3_000,
      ...this.security,
      retry,
      logLevel: this.kafkajs.logLevel[level],
      logCreator: () => (entry) => this.#log(entry),
    })
  }

  /**
   * kafkajs logs at level ERROR what it then retries by itself, each time. Of that an operator needs to know that the
   * connection is gone, once in a while; what cannot be retried comes as an error to whoever asked.
   */
  #log({ namespace, log }: LogEntry): void {
    if (this.#leaving > 0 || namespace !== 'Connection' || !log.message.startsWith('Connection error')) return
    const now = this.clock.monotonic()
    if (this.#lastToldAt !== undefined && now - this.#lastToldAt < TELL_AGAIN_MS) return
    this.#lastToldAt = now
    this.report('warn', `Kafka at ${this.servers.join(',')}: ${log.message}; trying again`)
  }
}
