import type { WireError } from '@lanescope/shared'

/** What another process told of a failure of its own. */
export class RunFailure extends Error {
  override readonly name = 'RunFailure'

  constructor(readonly error: WireError) {
    super(error.message)
  }
}
