/**
 * Which message of a Protobuf file follows: how many indexes, then each, as zigzag varints, from the outermost message to
 * the innermost. The first message of the file, the common case, is the one byte `00` (`kafka-streams.md` F.4).
 */
export function writeIndexes(path: readonly number[]): Uint8Array {
  if (path.length === 1 && path[0] === 0) return Uint8Array.of(0)
  const bytes: number[] = []
  for (const number of [path.length, ...path]) {
    let left = number * 2
    for (; left > 127; left = Math.floor(left / 128)) bytes.push((left % 128) + 128)
    bytes.push(left)
  }
  return Uint8Array.from(bytes)
}

/** @throws TypeError when the bytes end within, or hold a negative number */
export function readIndexes(bytes: Uint8Array): { readonly path: readonly number[]; readonly end: number } {
  let end = 0
  const next = (): number => {
    let value = 0
    for (let factor = 1; ; factor *= 128) {
      const byte = bytes[end++]
      if (byte === undefined || factor > 2 ** 28)
        throw new TypeError('The message indexes of a Protobuf record are cut off.')
      value += (byte % 128) * factor
      if (byte < 128) break
    }
    if (value % 2 !== 0) throw new TypeError('A message index of a Protobuf record is negative.')
    return value / 2
  }
  const count = next()
  if (count === 0) return { path: [0], end }
  return { path: Array.from({ length: count }, next), end }
}
