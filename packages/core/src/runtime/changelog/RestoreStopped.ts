import { StreamError } from '../../errors/StreamError.js'

/** A stop was asked for while state was being rebuilt: nothing has been read yet, so nothing is lost with leaving it. */
export class RestoreStopped extends StreamError {
  constructor() {
    super('State was being rebuilt when a stop was asked for; the next start goes on with it.', {
      code: 'ILLEGAL_STATE',
      kind: 'operational',
      retriable: false,
    })
  }
}

/** For a restore's `catch`: undefined where it was only left off. */
export function unlessStopped(error: unknown): undefined {
  if (!(error instanceof RestoreStopped)) throw error
}
