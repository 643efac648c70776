import { builtInExpression } from '../document/serdeText.js'
import type { CodeRef, DocumentStore, SerdeRef, SideDeclaration, SourceNode } from '../document/TopologyDocument.js'
import { typeProblem } from '../document/typeProblem.js'
import { durationParts, stringLiteral } from './literals.js'
import type { CoreValue, ModuleImports } from './ModuleImports.js'

/**
 * Writes the expressions that generated modules are made of, and notes what they import.
 * For analysis it writes no types: a type that does not parse must not take the canvas down.
 */
export class TopologyWriter {
  constructor(
    readonly imports: ModuleImports,
    readonly purpose: 'run' | 'analysis',
  ) {}

  serde(ref: SerdeRef): string {
    switch (ref.kind) {
      case 'built-in':
        return this.imports.core(builtInExpression(ref.name) as CoreValue)
      case 'json':
        return this.#json(ref.type)
      case 'custom':
        return this.imports.code(ref.code)
    }
  }

  optionalSerde(ref: SerdeRef | undefined): string {
    return ref === undefined ? 'undefined' : this.serde(ref)
  }

  duration(ms: number): string {
    const { unit, amount } = durationParts(ms)
    return unit === undefined ? String(amount) : `${this.imports.core(unit)}(${amount})`
  }

  code(ref: CodeRef): string {
    return this.imports.code(ref)
  }

  /**
   * Type arguments of a call, with their brackets; nothing for analysis. A text that is no type would break the whole
   * module, so `unknown` stands for it; `incompleteness` says what is wrong with it.
   */
  typeArguments(...types: readonly string[]): string {
    if (this.purpose === 'analysis') return ''
    return `<${types.map((type) => (typeProblem(type) === undefined ? this.imports.type(type) : 'unknown')).join(', ')}>`
  }

  /** What reads one side of a source: a serde's name, a deserializer's, or `undefined` for the default. */
  side(side: SideDeclaration): string {
    switch (side.form) {
      case 'serde':
        return this.serde(side.serde)
      case 'deserializer':
        return this.serde(side.deserializer)
      case 'default':
        return 'undefined'
    }
  }

  /** `Consumed.…` with all that the source declares. */
  consumed(source: SourceNode): string {
    const { key, value, nulls } = source.properties
    const consumed = this.imports.core('Consumed')
    const options = nulls === 'drop' ? ", { nulls: 'drop' }" : ''
    if (key.form === 'deserializer') {
      return `${consumed}.deserializers(${this.side(key)}, ${this.side(value)}${options})${this.sourceSettings(source)}`
    }
    if (value.form === 'deserializer') {
      const reading = `.withValueDeserializer(${this.side(value)})`
      return `${consumed}.with(${this.side(key)}, undefined${options})${reading}${this.sourceSettings(source)}`
    }
    return `${consumed}.with(${this.side(key)}, ${this.side(value)}${options})${this.sourceSettings(source)}`
  }

  /** The calls on `Consumed` beyond its serdes. */
  sourceSettings(source: SourceNode): string {
    const { maxAheadMs, numberOfLanes, maxOutOfOrdernessMs, timestampExtractor } = source.properties
    const calls: string[] = []
    if (maxAheadMs !== undefined) calls.push(`.withMaxAhead(${this.duration(maxAheadMs)})`)
    if (numberOfLanes !== undefined) calls.push(`.withNumberOfLanes(${numberOfLanes})`)
    if (maxOutOfOrdernessMs !== undefined) {
      calls.push(`.withWatermarkStrategy({ maxOutOfOrdernessMs: ${this.duration(maxOutOfOrdernessMs)} })`)
    }
    if (timestampExtractor !== undefined) calls.push(`.withTimestampExtractor(${this.code(timestampExtractor)})`)
    return calls.join('')
  }

  /** The builder of a state store. */
  store(store: DocumentStore): string {
    const stores = this.imports.core('Stores')
    const name = stringLiteral(store.name)
    const serdes = `${this.serde(store.key)}, ${this.serde(store.value)}`
    if (store.kind === 'key-value') return `${stores}.keyValue(${name}, ${serdes})`
    const windowMs = store.windowSizeMs ?? DEFAULT_WINDOW_MS
    const retentionMs = store.retentionMs ?? Math.max(DEFAULT_RETENTION_MS, windowMs)
    const options = `{ retentionMs: ${this.duration(retentionMs)}, windowSizeMs: ${this.duration(windowMs)} }`
    return `${stores}.window(${name}, ${options}, ${serdes})`
  }

  #json(type: string): string {
    return `${this.imports.core('json')}${this.typeArguments(type)}()`
  }
}

/** Kafka Streams' default retention of a windowed store, in ms. */
const DEFAULT_RETENTION_MS = 86_400_000
const DEFAULT_WINDOW_MS = 3_600_000
