/** kafkajs's queue of requests of one connection, as far as it is changed here. */
interface RequestQueue {
  readonly pending: readonly unknown[]
  throttleCheckTimeoutId: NodeJS.Timeout | null
  throttledUntil: number
  checkPendingRequests(): void
}

const AGAIN_MS = 10

/**
 * Keeps queues of requests from looking for work that is not there: kafkajs sets a timer of one millisecond anew each time
 * that it has fired, on every connection, for ever.
 */
export function checksWhenThereIsWork(queueClass: unknown): void {
  const { prototype } = queueClass as { readonly prototype: object }
  Object.assign(prototype, {
    scheduleCheckPendingRequests(this: RequestQueue) {
      if (this.throttleCheckTimeoutId !== null || this.pending.length === 0) return
      const throttledMs = this.throttledUntil - Date.now()
      this.throttleCheckTimeoutId = setTimeout(
        () => {
          this.throttleCheckTimeoutId = null
          this.checkPendingRequests()
        },
        throttledMs > 0 ? throttledMs : AGAIN_MS,
      )
    },
  })
}
