import type { AwaitHost } from './AwaitHost.js'

/** What a compiled `async` function or generator yields for each `await`. */
type Body = Generator<unknown, unknown, unknown>
type BodyFunction = (...args: unknown[]) => Body

/** An `await` inside an async generator, told apart from a `yield`. */
class Awaited {
  constructor(
    readonly value: unknown,
    /** How the body goes on with the outcome; `return` only where a delegate was asked to return. */
    readonly resumeBy: 'next' | 'return' = 'next',
  ) {}
}

interface Request {
  readonly method: 'next' | 'throw' | 'return'
  readonly value: unknown
  readonly resolve: (result: IteratorResult<unknown>) => void
  readonly reject: (error: unknown) => void
}

/** The names that TypeScript's output imports for `async`, `await`, `for await` and async generators. */
export interface AwaitHelpers {
  readonly __awaiter: (thisArg: unknown, args: unknown, promise: unknown, body: BodyFunction) => Promise<unknown>
  readonly __asyncGenerator: (thisArg: unknown, args: unknown, body: BodyFunction) => AsyncGenerator<unknown>
  readonly __asyncDelegator: (source: AsyncIterator<unknown>) => Iterator<unknown>
  readonly __asyncValues: (source: unknown) => AsyncIterator<unknown>
  readonly __await: (value: unknown) => unknown
}

/**
 * Helpers for code that TypeScript has compiled to ES2016 with `importHelpers`: every `await` in it, written or
 * implied, goes on only when the host says so (D2).
 */
export function awaitHelpers(host: AwaitHost): AwaitHelpers {
  return {
    __awaiter: (thisArg, args, _promise, body) => runAsync(host, start(body, thisArg, args)),
    __asyncGenerator: (thisArg, args, body) => new HostedGenerator(host, start(body, thisArg, args)),
    __asyncDelegator: (source) => new Delegate(source),
    __asyncValues: asyncValues,
    __await: (value) => new Awaited(value),
  }
}

function start(body: BodyFunction, thisArg: unknown, args: unknown): Body {
  return body.apply(thisArg, args === undefined ? [] : Array.from(args as ArrayLike<unknown>))
}

function runAsync(host: AwaitHost, body: Body): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const advance = (method: 'next' | 'throw', value: unknown): void => {
      let result: IteratorResult<unknown>
      try {
        result = body[method](value)
      } catch (error) {
        reject(error)
        return
      }
      if (result.done) resolve(result.value)
      else
        host.await(
          result.value,
          (settled) => advance('next', settled),
          (error) => advance('throw', error),
        )
    }
    advance('next', undefined)
  })
}

/** An async generator: requests queue up, one at a time runs the body (as ECMAScript has it). */
class HostedGenerator implements AsyncGenerator<unknown> {
  readonly #requests: Request[] = []
  #running = false

  constructor(
    private readonly host: AwaitHost,
    private readonly body: Body,
  ) {}

  next(value?: unknown): Promise<IteratorResult<unknown>> {
    return this.#request('next', value)
  }

  throw(error: unknown): Promise<IteratorResult<unknown>> {
    return this.#request('throw', error)
  }

  return(value?: unknown): Promise<IteratorResult<unknown>> {
    return this.#request('return', value)
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  #request(method: Request['method'], value: unknown): Promise<IteratorResult<unknown>> {
    return new Promise((resolve, reject) => {
      this.#requests.push({ method, value, resolve, reject })
      if (!this.#running) this.#serve()
    })
  }

  #serve(): void {
    const request = this.#requests[0]
    this.#running = request !== undefined
    if (request === undefined) return
    if (request.method !== 'return') {
      this.#advance(request.method, request.value)
      return
    }
    // A returned promise is awaited first; its rejection is thrown where the body stands.
    this.host.await(
      request.value,
      (value) => this.#advance('return', value),
      (error) => this.#advance('throw', error),
      'return',
    )
  }

  #advance(method: Request['method'], value: unknown): void {
    let result: IteratorResult<unknown>
    try {
      result = this.body[method](value as never)
    } catch (error) {
      this.#answer((request) => request.reject(error))
      return
    }
    const { value: yielded } = result
    if (yielded instanceof Awaited && !result.done) {
      this.host.await(
        yielded.value,
        (settled) => this.#advance(yielded.resumeBy, settled),
        (error) => this.#advance('throw', error),
      )
      return
    }
    this.#answer((request) => request.resolve({ value: yielded, done: result.done === true }))
  }

  #answer(tell: (request: Request) => void): void {
    tell(this.#requests.shift() as Request)
    this.#serve()
  }
}

/**
 * What `yield*` in an async generator iterates: each question to the source goes out as an await, and its outcome comes
 * back in the next call, which hands it on as the source's answer.
 */
class Delegate implements Iterator<unknown> {
  #asked = false

  constructor(private readonly source: AsyncIterator<unknown>) {}

  [Symbol.iterator](): this {
    return this
  }

  next(value?: unknown): IteratorResult<unknown> {
    if (this.#asked) return this.#answer(value)
    return this.#ask(this.source.next(value as never), 'next')
  }

  throw(error?: unknown): IteratorResult<unknown> {
    if (this.#asked) {
      this.#asked = false
      throw error
    }
    if (this.source.throw === undefined) throw error
    return this.#ask(this.source.throw(error), 'next')
  }

  return(value?: unknown): IteratorResult<unknown> {
    if (this.#asked) return this.#answer(value)
    if (this.source.return === undefined) return { value, done: true }
    return this.#ask(this.source.return(value), 'return')
  }

  #ask(answer: unknown, resumeBy: 'next' | 'return'): IteratorResult<unknown> {
    this.#asked = true
    return { value: new Awaited(answer, resumeBy), done: false }
  }

  #answer(result: unknown): IteratorResult<unknown> {
    this.#asked = false
    if (typeof result !== 'object' || result === null)
      throw new TypeError(`${String(result)} is not an iterator result`)
    return result as IteratorResult<unknown>
  }
}

/** What `for await` iterates: the async iterator, or the plain one with each value awaited. */
function asyncValues(source: unknown): AsyncIterator<unknown> {
  const { [Symbol.asyncIterator]: hosted, [Symbol.iterator]: plain } = Object(source) as Partial<
    AsyncIterable<unknown> & Iterable<unknown>
  >
  if (hosted !== undefined) return hosted.call(source)
  if (plain === undefined) throw new TypeError(`${String(source)} is not iterable, neither async nor plain`)
  const iterator = plain.call(source) as Iterator<unknown>
  const lift = async ({ value, done }: IteratorResult<unknown>): Promise<IteratorResult<unknown>> => ({
    value: await value,
    done: done === true,
  })
  return {
    next: async (value) => lift(iterator.next(value as never)),
    return: async (value) => (iterator.return ? lift(iterator.return(value)) : { value, done: true }),
    throw: async (error) => {
      if (iterator.throw === undefined) throw error
      return lift(iterator.throw(error))
    },
  }
}
