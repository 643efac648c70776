import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

/** Numbers of Kafka's requests. */
export const api = {
  produce: 0,
  fetch: 1,
  initProducerId: 22,
  addPartitionsToTxn: 24,
  addOffsetsToTxn: 25,
  endTxn: 26,
  txnOffsetCommit: 28,
} as const

/**
 * What becomes of a request: it passes; the connection breaks before the broker has it; the connection breaks in place
 * of the answer; or the answer is changed.
 */
export type Fate = 'pass' | 'lose-request' | 'lose-answer' | ((answer: Buffer) => void)

/** Stands between clients and a broker, and does to requests what a network may do. */
export class KafkaProxy {
  /** Asked for each request, in the order of its connection. */
  fate: (apiKey: number) => Fate | Promise<Fate> = () => 'pass'
  #target = 0
  readonly #sockets = new Set<Socket>()

  private constructor(private readonly server: Server) {
    server.on('connection', (client) => this.#serve(client))
  }

  static async open(): Promise<KafkaProxy> {
    const server = createServer()
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return new KafkaProxy(server)
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port
  }

  get bootstrap(): string {
    return `127.0.0.1:${this.port}`
  }

  connectTo(bootstrap: string): void {
    this.#target = Number(bootstrap.split(':')[1])
  }

  /**
   * The next request of a kind has this fate, all others pass. Resolves once it has come.
   *
   * @param before what happens while the request is held
   */
  once(apiKey: number, fate: Fate, before: () => Promise<void> = async () => undefined): Promise<void> {
    return new Promise((resolve) => {
      this.fate = async (key) => {
        if (key !== apiKey) return 'pass'
        this.fate = () => 'pass'
        await before()
        resolve()
        return fate
      }
    })
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy()
    this.server.close()
  }

  #serve(client: Socket): void {
    const broker = connect(this.#target, '127.0.0.1')
    const fates = new Map<number, Fate>()
    const end = () => {
      client.destroy()
      broker.destroy()
      this.#sockets.delete(client)
      this.#sockets.delete(broker)
    }
    for (const socket of [client, broker]) {
      this.#sockets.add(socket)
      socket.on('close', end).on('error', end)
    }
    let turn: Promise<void> = Promise.resolve()
    onFrames(client, (frame) => {
      turn = turn.then(async () => {
        const fate = await this.fate(frame.readInt16BE(4))
        if (fate === 'lose-request') return end()
        fates.set(frame.readInt32BE(8), fate)
        broker.write(frame)
      })
    })
    onFrames(broker, (frame) => {
      const fate = fates.get(frame.readInt32BE(4))
      fates.delete(frame.readInt32BE(4))
      if (fate === 'lose-answer') return end()
      if (typeof fate === 'function') fate(frame)
      client.write(frame)
    })
  }
}

/** Each frame is its length in four bytes, and so many. */
function onFrames(socket: Socket, take: (frame: Buffer) => void): void {
  let held = Buffer.alloc(0)
  socket.on('data', (bytes: Buffer) => {
    held = Buffer.concat([held, bytes])
    while (held.length >= 4 && held.length >= 4 + held.readInt32BE(0)) {
      const size = 4 + held.readInt32BE(0)
      take(Buffer.from(held.subarray(0, size)))
      held = held.subarray(size)
    }
  })
}
