import { toHex } from '../model/bytes.js'
import type { Windowed } from '../model/Windowed.js'
import { checkName } from '../topology/checkName.js'

interface PrintedOptions<K, V> {
  readonly write: (line: string) => void
  readonly label?: string
  readonly name?: string
  readonly mapper?: (key: K, value: V) => string
}

/** Where `KStream.print` writes, and what: a line a record, `[label]: key, value`. Immutable. */
export class Printed<K, V> {
  private constructor(readonly options: PrintedOptions<K, V>) {}

  /** Gives each line, without an end of line, to a function. */
  static to<K = any, V = any>(write: (line: string) => void): Printed<K, V> {
    return new Printed<K, V>({ write })
  }

  /** Writes each line to standard output, or to the console of a browser. */
  static toSysOut<K = any, V = any>(): Printed<K, V> {
    return Printed.to<K, V>((line) => console.log(line))
  }

  /** What stands in brackets before each line. Default: the name of the node whose records are printed. */
  withLabel(label: string): Printed<K, V> {
    return new Printed({ ...this.options, label })
  }

  /** What a line says behind its label. Default: key and value, with a comma between them. */
  withKeyValueMapper(mapper: (key: K, value: V) => string): Printed<K, V> {
    return new Printed({ ...this.options, mapper })
  }

  /** Names the node. */
  withName(name: string): Printed<K, V> {
    checkName('node', name)
    return new Printed({ ...this.options, name })
  }
}

/** `key, value`, as Kafka Streams prints them. */
export function keyCommaValue(key: unknown, value: unknown): string {
  return `${shown(key)}, ${shown(value)}`
}

function shown(value: unknown): string {
  if (value === null || value === undefined) return 'null'
  if (value instanceof Uint8Array) return toHex(value)
  if (isWindowed(value)) return `[${shown(value.key)}@${value.window.start}/${value.window.end}]`
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

function isWindowed(value: unknown): value is Windowed<unknown> {
  return typeof value === 'object' && value !== null && 'key' in value && 'window' in value
}
