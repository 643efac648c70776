const SCHEDULED = /\.schedule\(/g

/** How many punctuators a text schedules, as far as it can be seen. */
export function scheduledIn(text: string): number {
  return text.match(SCHEDULED)?.length ?? 0
}

const CALL = "    context.schedule(10_000, 'wall-clock-time', (at) => {"

/**
 * The text of a processor with one punctuator more, scheduled where its lanes begin: in the `init` that it has, or in
 * one of its own. Undefined where there is no such class.
 */
export function withPunctuator(text: string, className: string): string | undefined {
  const head = new RegExp(`^export class ${className}\\b[^{]*\\{[^\\S\\n]*\\n`, 'm').exec(text)
  if (head === null) return undefined
  const call = [
    CALL,
    '      // Every ten seconds by the wall clock, on each lane.',
    '      console.info(at)',
    '    })',
    '',
  ]
  const init = /^ {2}init\((\w+)[^)]*\)[^{]*\{[^\S\n]*\n/m.exec(text)
  if (init !== null) {
    const named = call.join('\n').replace('context.', `${init[1]}.`)
    return insert(text, init.index + init[0].length, named)
  }
  const own = ['  init(context: ProcessorContext) {', ...call.slice(0, -1), '  }', '', ''].join('\n')
  return importing(insert(text, head.index + head[0].length, own), 'ProcessorContext')
}

function insert(text: string, at: number, what: string): string {
  return `${text.slice(0, at)}${what}${text.slice(at)}`
}

/** The text with a type of the engine imported, among those that it imports already. */
function importing(text: string, type: string): string {
  const line = /^import type \{ ([^}]*) \} from '@lanescope\/core'$/m.exec(text)
  const names = line?.[1]?.split(', ') ?? []
  if (names.includes(type)) return text
  const sorted = [...names, type].sort().join(', ')
  const written = `import type { ${sorted} } from '@lanescope/core'`
  return line === null ? `${written}\n${text}` : text.replace(line[0], written)
}
