import type { Request } from '@lanescope/shared'

/** Reads a page's message; undefined when it is no request. */
export function readRequest(text: string): Request | undefined {
  try {
    const message = JSON.parse(text) as Partial<Request> | null
    if (typeof message?.id !== 'number' || typeof message.type !== 'string') return undefined
    return message as Request
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
