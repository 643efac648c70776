import type { KeyWindow } from '../document/nodeForms.js'
import type { SerdeRef } from '../document/TopologyDocument.js'
import type { TopologyWriter } from './TopologyWriter.js'

/** The serde of a key with the window around it, where it has one. */
export function windowedSerde(key: SerdeRef, window: KeyWindow | undefined, writer: TopologyWriter): string {
  const inner = writer.serde(key)
  if (window === undefined) return inner
  if (window.kind === 'session') return `${writer.imports.core('sessionWindowed')}(${inner})`
  return `${writer.imports.core('windowed')}(${inner}, ${writer.duration(window.sizeMs)})`
}
