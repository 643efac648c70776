import type { DocumentGenerator, SerdeRef, SourceNode, TopologyDocument } from '@lanescope/shared'

/** How typed text becomes the bytes of a key or a value. */
export type Encoding = 'text' | 'json' | 'long' | 'hex' | 'null'

export const ENCODINGS: readonly { readonly value: Encoding; readonly label: string }[] = [
  { value: 'text', label: 'text' },
  { value: 'json', label: 'JSON' },
  { value: 'long', label: 'long' },
  { value: 'hex', label: 'hex' },
  { value: 'null', label: 'null' },
]

export interface Field {
  readonly encoding: Encoding
  readonly text: string
}

export type Encoded =
  | { readonly ok: true; readonly hex: string | null }
  /** What is wrong with the text, in one line. */
  | { readonly ok: false; readonly problem: string }

/** Bytes in hex. JSON is written as typed, so that a key keeps its quotes; text is UTF-8; a long is 8 bytes, big-endian. */
export function encodeField({ encoding, text }: Field): Encoded {
  switch (encoding) {
    case 'null':
      return { ok: true, hex: null }
    case 'text':
      return { ok: true, hex: hexOf(new TextEncoder().encode(text)) }
    case 'json':
      return encodeJson(text)
    case 'long':
      return encodeLong(text)
    case 'hex':
      return encodeHex(text)
  }
}

/** What a record of this topic usually looks like: as its generator writes it, else as its source reads it. */
export function usualFields(document: TopologyDocument, topic: string): { readonly key: Field; readonly value: Field } {
  const generator = document.generators.find((one) => one.topic === topic)
  if (generator) return fieldsOf(generator)
  const source = document.nodes.find(
    (node): node is SourceNode => node.kind === 'source' && node.properties.topics.includes(topic),
  )
  return {
    key: { encoding: encodingOfSide(source?.properties.key), text: '' },
    value: { encoding: encodingOfSide(source?.properties.value), text: '' },
  }
}

function fieldsOf(generator: DocumentGenerator): { readonly key: Field; readonly value: Field } {
  const key = (generator.phases[0]?.keys[0] ?? '').replaceAll('{n}', '1')
  const template = JSON.stringify(generator.template).replaceAll('{n}', '1')
  return {
    key: writtenBy(generator.key, JSON.stringify(key), key),
    value: writtenBy(generator.value, template, template),
  }
}

function writtenBy(serde: SerdeRef, json: string, plain: string): Field {
  const encoding = encodingOf(serde)
  return { encoding, text: encoding === 'json' ? json : plain }
}

function encodingOf(serde: SerdeRef): Encoding {
  if (serde.kind === 'json') return 'json'
  if (serde.kind === 'built-in' && (serde.name === 'long' || serde.name === 'bigint')) return 'long'
  if (serde.kind === 'built-in' && (serde.name === 'byteArray' || serde.name === 'bytes')) return 'hex'
  return 'text'
}

function encodingOfSide(side: SourceNode['properties']['key'] | undefined): Encoding {
  if (side?.form === 'serde') return encodingOf(side.serde)
  if (side?.form === 'deserializer' && side.deserializer.kind !== 'custom') return encodingOf(side.deserializer)
  return 'text'
}

function encodeJson(text: string): Encoded {
  try {
    JSON.parse(text)
  } catch (error) {
    return { ok: false, problem: `Not JSON: ${error instanceof Error ? error.message : String(error)}` }
  }
  return { ok: true, hex: hexOf(new TextEncoder().encode(text)) }
}

function encodeLong(text: string): Encoded {
  if (!/^-?\d{1,19}$/.test(text.trim())) return { ok: false, problem: `"${text}" is not a whole number` }
  const value = BigInt(text.trim())
  if (BigInt.asIntN(64, value) !== value) return { ok: false, problem: `${text} does not fit into 8 bytes` }
  return { ok: true, hex: BigInt.asUintN(64, value).toString(16).padStart(16, '0') }
}

function encodeHex(text: string): Encoded {
  const hex = text.replaceAll(/\s/g, '').toLowerCase()
  if (!/^([0-9a-f]{2})*$/.test(hex)) return { ok: false, problem: 'Hex is pairs of 0–9 and a–f, such as "22 6b 30 22"' }
  return { ok: true, hex }
}

function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
