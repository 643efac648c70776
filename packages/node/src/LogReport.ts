/** What a line is about, for programs that read logs. */
export interface LogFields {
  readonly node?: string | undefined
  readonly lane?: number | undefined
  readonly topic?: string | undefined
  readonly partition?: number | undefined
  readonly offset?: number | undefined
  readonly [name: string]: string | number | boolean | undefined
}

/** Where an adapter says what an operator should know: one line each. */
export type LogReport = (level: 'info' | 'warn' | 'error', message: string, fields?: LogFields) => void
