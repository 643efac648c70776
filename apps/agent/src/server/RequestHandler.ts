import type { Replies, Request, RequestType } from '@lanescope/shared'
import type { PageConnection } from './PageConnection.js'

/** Fulfils one request of one page. What it throws becomes the reply. */
export type RequestHandler = (request: Request, page: PageConnection) => Promise<Replies[RequestType]>
