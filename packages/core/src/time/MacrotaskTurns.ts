/** Lets every microtask of the host run out, as often as asked, at the price of one message. */
export class MacrotaskTurns {
  readonly #channel = new MessageChannel()
  #resume: (() => void) | undefined

  constructor() {
    this.#channel.port1.onmessage = () => {
      const resume = this.#resume
      this.#resume = undefined
      resume?.()
    }
  }

  /** Resolves in the next macrotask: by then no microtask that was due is left. One call at a time. */
  readonly turn = (): Promise<void> =>
    new Promise((resolve) => {
      this.#resume = resolve
      this.#channel.port2.postMessage(0)
    })

  /** Without it the channel keeps a Node process alive. */
  close(): void {
    this.#channel.port1.close()
  }
}
