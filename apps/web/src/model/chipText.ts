import type { Chip } from '@lanescope/shared'

const SPELT: { readonly [id: string]: string } = {
  string: 'String',
  long: 'Long',
  bigint: 'BigInt',
  integer: 'Integer',
  short: 'Short',
  double: 'Double',
  float: 'Float',
  boolean: 'Boolean',
  byteArray: 'ByteArray',
  bytes: 'Bytes',
  byteBuffer: 'ByteBuffer',
  uuid: 'UUID',
  void: 'Void',
  json: 'JSON',
}

/** A serde's id as a chip spells it: Kafka's name for a built-in one, a user's own as it is. */
export function chipText(label: string): string {
  return SPELT[label] ?? label
}

/** A chip's font is of one width; its box, and the mark of a window or of what is unresolved. */
const LETTER = 6.3
const BOX = 12
const MARK = 13

/** How wide a chip is drawn, in pixels. */
export function chipWidth(chip: Pick<Chip, 'label' | 'status' | 'windowed'>): number {
  const marks = (chip.windowed ? 1 : 0) + (chip.status === 'unresolved' ? 1 : 0)
  return Math.ceil(chipText(chip.label).length * LETTER) + BOX + marks * MARK
}
