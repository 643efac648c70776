/** The newest write of a key within one epoch: its bytes, or undefined when the epoch deleted it. */
export type LayerEntry = readonly [key: Uint8Array, value: Uint8Array | undefined]

/** In the place of a value's length: there is no value. */
export const NO_VALUE = -1

/** In the place of a value's length: nobody has looked whether there is one. */
export const NOT_LOOKED_UP = -2

/**
 * A change where it lies: parts of larger arrays, so that it is copied to where it goes without an object for each. It
 * is one object that goes from change to change: nothing of it holds behind the next `look`.
 */
export interface ChangeView {
  /** What the key is a part of: from `keyFrom` on, before `keyTo`. */
  key: Uint8Array
  keyFrom: number
  keyTo: number
  /** Undefined: the key is deleted. */
  value: Uint8Array | undefined
  valueFrom: number
  valueTo: number
  /** How long the committed value is that it takes the place of; `NO_VALUE`: there is none; `NOT_LOOKED_UP`: who applies it has to look. */
  before: number
  /** What `place` of the committed store said of the key when it was looked up; 0: nothing. */
  place: number
}

/** Changes that can be looked at where they lie. They hold until their epoch is settled. */
export interface PackedChanges extends Iterable<LayerEntry> {
  /** How many there are. */
  readonly size: number
  /** @param index from 0 on, below `size` */
  look(index: number, view: ChangeView): void
}

export function arePacked(changes: Iterable<LayerEntry>): changes is PackedChanges {
  return 'look' in changes
}

export function newChangeView(): ChangeView {
  const nothing = new Uint8Array(0)
  return {
    key: nothing,
    keyFrom: 0,
    keyTo: 0,
    value: nothing,
    valueFrom: 0,
    valueTo: 0,
    before: NOT_LOOKED_UP,
    place: 0,
  }
}
