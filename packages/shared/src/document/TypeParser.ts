import { type TypeToken, typeTokens } from './TypeTokens.js'

/** Words of the language that cannot name a type. Those that are types themselves are not among them. */
const RESERVED = new Set(
  (
    'break case catch class const continue debugger default delete do else enum export extends false finally for function ' +
    'if import in instanceof new null return super switch this throw true try typeof var void while with'
  ).split(' '),
)
const LITERALS = new Set(['false', 'null', 'this', 'true', 'void'])

/** Where a text stops being a type: a piece that cannot stand there, or its end (`found` is undefined). */
export class NotAType extends Error {
  override readonly name = 'NotAType'
  constructor(
    readonly found: TypeToken | undefined,
    readonly after: TypeToken | undefined,
  ) {
    super('not a type')
  }
}

/**
 * Reads a type expression of TypeScript as its compiler would, and keeps nothing of it. It is here because pages ask
 * at each key that is typed, and the compiler is megabytes that come later. `import('…')` is no type here: types come
 * from `src/model.ts`. Neither do line breaks end the fields of an object: what is generated is one line.
 */
export class TypeParser {
  readonly #tokens: readonly TypeToken[]
  #at = 0

  constructor(text: string) {
    this.#tokens = typeTokens(text)
  }

  /** @throws NotAType where the text is not one type, and nothing but it */
  whole(): void {
    this.#type()
    if (this.#next !== undefined) this.#fail()
  }

  #type(): void {
    if (this.#startsFunction()) this.#function()
    else this.#conditional()
  }

  #conditional(): void {
    this.#union()
    if (!this.#take('extends')) return
    if (this.#startsFunction()) this.#function()
    else this.#union()
    this.#expect('?')
    this.#type()
    this.#expect(':')
    this.#type()
  }

  #startsFunction(): boolean {
    if (this.#isNext('<') || this.#isNext('new')) return true
    if (this.#isNext('abstract')) return this.#tokens[this.#at + 1]?.text === 'new'
    return this.#isNext('(') && this.#tokens[this.#closing() + 1]?.text === '=>'
  }

  /** The index of the parenthesis that closes the next one; behind the last token when none does. */
  #closing(): number {
    let depth = 0
    for (let at = this.#at; at < this.#tokens.length; at++) {
      const { kind, text } = this.#tokens[at] as TypeToken
      if (kind !== 'sign') continue
      if ('([{'.includes(text)) depth++
      else if (')]}'.includes(text) && --depth === 0) return at
    }
    return this.#tokens.length
  }

  #function(): void {
    this.#take('abstract')
    this.#take('new')
    this.#parameters()
    this.#expect('=>')
    this.#result()
  }

  /** `<T>(name: string, …)`. */
  #parameters(): void {
    if (this.#take('<')) this.#list('>', () => this.#typeParameter(), true)
    this.#expect('(')
    this.#list(')', () => {
      this.#take('...')
      this.#name()
      this.#take('?')
      if (this.#take(':')) this.#type()
    })
  }

  #typeParameter(): void {
    if (this.#isNext('const') || this.#isNext('in')) this.#at++
    this.#name()
    if (this.#take('extends')) this.#type()
    if (this.#take('=')) this.#type()
  }

  /** What a function gives: a type, or `name is type`. */
  #result(): void {
    if (this.#tokens[this.#at + 1]?.text === 'is' && this.#next?.kind === 'name') this.#at += 2
    this.#type()
  }

  #union(): void {
    this.#take('|')
    do this.#intersection()
    while (this.#take('|'))
  }

  #intersection(): void {
    this.#take('&')
    do this.#operator()
    while (this.#take('&'))
  }

  #operator(): void {
    if (this.#startsFunction()) this.#fail()
    if (this.#take('readonly')) {
      const start = this.#at
      this.#postfix()
      // Only arrays and tuples can be read-only.
      if (this.#tokens[this.#at - 1]?.text !== ']') this.#fail(start)
    } else if (this.#take('unique')) this.#expect('symbol')
    else if (this.#take('keyof')) this.#operator()
    else if (this.#take('infer')) this.#inferred()
    else this.#postfix()
  }

  /** `infer U`, `infer U extends string`. */
  #inferred(): void {
    this.#name()
    if (this.#take('extends')) this.#union()
  }

  #postfix(): void {
    this.#primary()
    while (this.#take('[')) {
      if (this.#take(']')) continue
      this.#type()
      this.#expect(']')
    }
  }

  #primary(): void {
    const token = this.#next
    if (token === undefined) this.#fail()
    else if (token.kind === 'template') this.#template(token)
    else if (token.kind === 'string' || token.kind === 'number') this.#at++
    else if (this.#take('-')) {
      if (this.#next?.kind !== 'number') this.#fail()
      this.#at++
    } else if (this.#take('(')) {
      this.#type()
      this.#expect(')')
    } else if (this.#take('[')) this.#list(']', () => this.#element())
    else if (this.#take('{')) this.#members()
    else if (LITERALS.has(token.text)) this.#at++
    else this.#named()
  }

  #template(token: TypeToken): void {
    for (const [, inner = ''] of token.text.matchAll(/\$\{([^}]*)\}/g)) new TypeParser(inner).whole()
    this.#at++
  }

  /** `Map<string, Event>`, `events.Event`, `typeof start`. */
  #named(): void {
    this.#take('typeof')
    this.#name()
    while (this.#take('.')) this.#word()
    if (this.#take('<')) this.#list('>', () => this.#type(), true, false)
  }

  /** Of a tuple: `string`, `string?`, `...string[]`, `name?: string`. */
  #element(): void {
    this.#take('...')
    const [first, second, third] = this.#tokens.slice(this.#at, this.#at + 3)
    if (first?.kind === 'name' && second?.text === ':') this.#at += 2
    else if (first?.kind === 'name' && second?.text === '?' && third?.text === ':') this.#at += 3
    this.#type()
    this.#take('?')
  }

  #members(): void {
    if (this.#startsMapped()) {
      this.#mapped()
      return
    }
    while (!this.#take('}')) {
      this.#member()
      if (this.#take(';') || this.#take(',') || this.#isNext('}')) continue
      this.#fail()
    }
  }

  #startsMapped(): boolean {
    const words = this.#tokens.slice(this.#at, this.#at + 5).map(({ text }) => text)
    if (words[0] === '+' || words[0] === '-') return true
    const opening = words[0] === 'readonly' ? 1 : 0
    return words[opening] === '[' && words[opening + 2] === 'in'
  }

  /** `[K in Keys as Name]?: Type }`. */
  #mapped(): void {
    if (this.#take('+') || this.#take('-')) this.#expect('readonly')
    else this.#take('readonly')
    this.#expect('[')
    this.#name()
    this.#expect('in')
    this.#type()
    if (this.#take('as')) this.#type()
    this.#expect(']')
    if (this.#take('+') || this.#take('-')) this.#expect('?')
    else this.#take('?')
    if (this.#take(':')) this.#type()
    this.#take(';')
    this.#expect('}')
  }

  #member(): void {
    const after = this.#tokens[this.#at + 1]
    const makes = this.#isNext('new') && (after?.text === '(' || after?.text === '<')
    if (makes) this.#at++
    if (this.#isNext('(') || this.#isNext('<')) this.#signature()
    else this.#field(after)
  }

  #field(after: TypeToken | undefined): void {
    const isModified = after !== undefined && (after.kind !== 'sign' || after.text === '[')
    if (isModified && ['readonly', 'get', 'set'].includes(this.#next?.text ?? '')) this.#at++
    if (this.#take('[')) this.#bracketed()
    else if (this.#next?.kind === 'string' || this.#next?.kind === 'number') this.#at++
    else this.#word()
    this.#take('?')
    if (this.#isNext('(') || this.#isNext('<')) this.#signature()
    else if (this.#take(':')) this.#type()
  }

  /** `[key: string]`, `[Symbol.iterator]`, `['name']`. */
  #bracketed(): void {
    if (this.#next?.kind === 'string' || this.#next?.kind === 'number') this.#at++
    else {
      this.#name()
      while (this.#take('.')) this.#word()
      if (this.#take(':')) this.#type()
    }
    this.#expect(']')
  }

  #signature(): void {
    this.#parameters()
    if (this.#take(':')) this.#result()
  }

  /** Things with commas between them, up to the sign that closes them. */
  #list(close: string, item: () => void, needsOne = false, mayTrail = true): void {
    if (!needsOne && this.#take(close)) return
    do {
      if (mayTrail && this.#tokens[this.#at - 1]?.text === ',' && this.#isNext(close)) break
      item()
    } while (this.#take(','))
    this.#expect(close)
  }

  /** A name that is free to be one. */
  #name(): void {
    const isThis = this.#isNext('this')
    if (!isThis && RESERVED.has(this.#next?.text ?? '')) this.#fail()
    this.#word()
  }

  /** Any word: fields may be called as the language's own. */
  #word(): void {
    if (this.#next?.kind !== 'name') this.#fail()
    this.#at++
  }

  get #next(): TypeToken | undefined {
    return this.#tokens[this.#at]
  }

  #isNext(text: string): boolean {
    const token = this.#next
    return token !== undefined && token.text === text && (token.kind === 'sign' || token.kind === 'name')
  }

  #take(text: string): boolean {
    if (!this.#isNext(text)) return false
    this.#at++
    return true
  }

  #expect(text: string): void {
    if (!this.#take(text)) this.#fail()
  }

  #fail(at = this.#at): never {
    throw new NotAType(this.#tokens[at], this.#tokens[at - 1])
  }
}
