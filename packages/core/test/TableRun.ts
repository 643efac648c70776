import { StreamsBuilder } from '../src/dsl/StreamsBuilder.js'
import type { Serde } from '../src/serde/Serde.js'
import { string } from '../src/serde/string.js'
import { TopologyTestDriver } from '../src/testing/index.js'

export type Piped = readonly [topic: string, key: string | null, value: string | null, timestamp: number]

/** A topology of tables at work in the driver, record by record. All topics hold text, `out` what its serdes say. */
export class TableRun {
  readonly driver: TopologyTestDriver

  constructor(
    write: (builder: StreamsBuilder) => void,
    private readonly keys: Serde<any> = string,
    private readonly values: Serde<any> = string,
    config: { readonly [key: string]: unknown } = {},
  ) {
    const builder = new StreamsBuilder()
    write(builder)
    this.driver = new TopologyTestDriver(builder.build(), {
      'default.key.serde': 'string',
      'default.value.serde': 'string',
      'lanes.count': 8,
      ...config,
    })
  }

  /** What comes out of `out` at each record, as key=value@time, several in one text. */
  async pipe(...records: readonly Piped[]): Promise<string[]> {
    const out = this.driver.createOutputTopic('out', this.keys, this.values)
    const all: string[] = []
    for (const [topic, key, value, at] of records) {
      await this.driver.createInputTopic(topic, string, string).pipeInput(key, value, at)
      all.push(
        out
          .readRecordsToList()
          .map((row) => `${text(row.key)}=${text(row.value)}@${row.timestamp}`)
          .join(' '),
      )
    }
    return all
  }

  /** How many records were dropped for this reason. */
  dropped(reason: string): number {
    return this.driver.counters[`dropped_records_total{reason="${reason}"}`] ?? 0
  }

  silent(reason: string): number {
    return this.driver.counters[`silent_loss_total{reason="${reason}"}`] ?? 0
  }

  /** A store's rows, as key=value@time. */
  async rows(store: string): Promise<string[]> {
    const rows = await (this.driver.store(store) as any).all().toArray()
    return rows.map(([key, { value, timestamp }]: any) => `${text(key)}=${text(value)}@${timestamp}`)
  }
}

/** Names of the stores that a topology has. */
export function storesOf(write: (builder: StreamsBuilder) => void): string[] {
  const builder = new StreamsBuilder()
  write(builder)
  return [...builder.build().definition.stores.keys()]
}

function text(value: unknown): string {
  return value !== null && typeof value === 'object' ? JSON.stringify(value) : String(value)
}
