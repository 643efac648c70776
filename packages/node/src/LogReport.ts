/** Where an adapter says what an operator should know: one line each. */
export type LogReport = (level: 'info' | 'warn' | 'error', message: string) => void
