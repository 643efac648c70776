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
