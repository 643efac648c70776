/** A key with a window around it, as the engine's text of it says. */
export interface WindowedKeyText {
  /** The key inside, as text. */
  readonly key: string
  /** Its first ms. */
  readonly start: number
  /** Of a window that ends behind its last ms; of a session, of its last record. */
  readonly end: number
}

const SHAPE = /^\{"key":(.*),"window":\{"start":(\d+),"end":(\d+)\}\}$/s

/** The parts of a windowed key's text; undefined for the text of any other key. */
export function windowedKey(text: string): WindowedKeyText | undefined {
  const [, key, start, end] = SHAPE.exec(text) ?? []
  if (key === undefined) return undefined
  return { key: plain(key), start: Number(start), end: Number(end) }
}

/** A JSON string without its quotes; other JSON as it is. */
function plain(json: string): string {
  if (!json.startsWith('"')) return json
  try {
    const value: unknown = JSON.parse(json)
    return typeof value === 'string' ? value : json
  } catch (error) {
    if (error instanceof SyntaxError) return json
    throw error
  }
}
