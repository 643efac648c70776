import { configInvalid } from './configProblem.js'

const VALUE = String.raw`"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[^\s"';]+`
const FORM = new RegExp(
  String.raw`^\s*[\w.$]+\s+(?:required|requisite|sufficient|optional)((?:\s+[\w.]+\s*=\s*(?:${VALUE}))*)\s*;?\s*$`,
)
const OPTION = new RegExp(String.raw`([\w.]+)\s*=\s*(${VALUE})`, 'g')

/**
 * The options of a Kafka client's `sasl.jaas.config`: `…LoginModule required username="a" password="b";`.
 *
 * @throws StreamError CONFIG_INVALID when it has another form; the text, which holds secrets, is not quoted
 */
export function jaasOptions(text: string | undefined): ReadonlyMap<string, string> {
  const options = new Map<string, string>()
  if (text === undefined) return options
  const list = FORM.exec(text)?.[1]
  if (list === undefined) {
    throw configInvalid(
      '"sasl.jaas.config" cannot be read: give `module required username="…" password="…";`, or use sasl.username and sasl.password',
    )
  }
  for (const [, name = '', value = ''] of list.matchAll(OPTION)) {
    options.set(name, /^["']/.test(value) ? value.slice(1, -1).replace(/\\(.)/g, '$1') : value)
  }
  return options
}
