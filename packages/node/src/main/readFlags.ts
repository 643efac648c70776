import { parseArgs } from 'node:util'

export interface Flag {
  readonly type: 'string' | 'boolean'
  /** What stands behind the flag in the help: `HOST:PORT`. */
  readonly value?: string
  readonly help: string
  /** Whether it may be given several times: its value is then a list. */
  readonly multiple?: true
}

export type FlagValues = { readonly [name: string]: string | boolean | readonly string[] | undefined }

export const BOOTSTRAP_SERVERS: Flag = {
  type: 'string',
  value: 'HOST:PORT',
  help: 'run on this Kafka cluster; several with commas (default: the embedded log)',
}

/**
 * The values of the flags, or what is wrong with the command line. `--help` is always known.
 *
 * @param words whether words may stand beside the flags; they come in their order
 */
export function readFlags(
  args: readonly string[],
  flags: { readonly [name: string]: Flag },
  words = false,
): { readonly values: FlagValues; readonly words: readonly string[] } | { readonly problem: string } {
  const options = Object.fromEntries(
    Object.entries(flags).map(([name, { type, multiple = false }]) => [name, { type, multiple }]),
  )
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: { ...options, help: { type: 'boolean' } },
      strict: true,
      allowPositionals: words,
    })
    return { values: values as FlagValues, words: positionals }
  } catch (error) {
    return { problem: (error as Error).message }
  }
}

/** The help text: what it does, then a line a flag. */
export function usage(command: string, does: string, flags: { readonly [name: string]: Flag }, words = ''): string {
  const all: [string, string][] = [
    ...Object.entries(flags).map(([name, { value, help }]): [string, string] => [
      value === undefined ? `--${name}` : `--${name} ${value}`,
      help,
    ]),
    ['--help', 'show this and end'],
  ]
  const width = Math.max(...all.map(([flag]) => flag.length))
  return [
    does,
    '',
    `Usage: ${command} -- ${words}[flags]`,
    ...all.map(([flag, help]) => `  ${flag.padEnd(width)}  ${help}`),
  ].join('\n')
}
