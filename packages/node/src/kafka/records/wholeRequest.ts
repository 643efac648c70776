/** What a request is made of: kafkajs's encoder, or parts that have been written already. */
type Payload = { readonly buffer: Buffer } | { readonly parts: readonly Buffer[] }

interface Request {
  readonly correlationId: number
  readonly clientId: string
  readonly request: {
    readonly apiKey: number
    readonly apiVersion: number
    readonly encode: () => Promise<Payload>
  }
}

/** Length, API key and version, correlation id, and the length of the client id. */
const HEAD = 14

/**
 * A request with its head, in place of kafkajs's own: that one copies the bytes three times, each time into zeroed memory
 * of up to twice their length.
 */
export async function wholeRequest({ correlationId, clientId, request }: Request): Promise<{ buffer: Buffer }> {
  const payload = await request.encode()
  const parts = 'parts' in payload ? payload.parts : [payload.buffer]
  const idLength = Buffer.byteLength(clientId)
  const head = Buffer.allocUnsafe(HEAD + idLength)
  const length = parts.reduce((sum, part) => sum + part.length, head.length)
  head.writeInt32BE(length - 4, 0)
  head.writeInt16BE(request.apiKey, 4)
  head.writeInt16BE(request.apiVersion, 6)
  head.writeInt32BE(correlationId, 8)
  head.writeInt16BE(idLength, 12)
  head.write(clientId, HEAD, 'utf8')
  return { buffer: Buffer.concat([head, ...parts], length) }
}
