import type { Replies, Request, RequestType } from '@lanescope/shared'
import type { PageConnection } from './PageConnection.js'

export interface Answer {
  readonly result: Replies[RequestType]
  /** Done once the reply is on its way: what is pushed because of the request must not overtake it. */
  readonly afterwards?: () => void
}

/** Fulfils one request of one page. What it throws becomes the reply. */
export type RequestHandler = (request: Request, page: PageConnection) => Promise<Answer>
