/** One key of `app.config.json` as a field of a form. */
export interface Setting {
  readonly key: string
  readonly label: string
  /** What it may be; absent: a number. */
  readonly choices?: readonly string[]
  /** What a number counts. */
  readonly counts?: 'lanes' | 'ms'
  /** What holds while it is not set. */
  readonly unset: string
  /** In a word or two, what a choice does where its name does not say it. */
  readonly words?: { readonly [choice: string]: string }
}

const VERDICTS = ['error', 'warn', 'off'] as const
const HANDLER = { choices: ['fail', 'continue'], words: { fail: 'end the run', continue: 'skip it and count it' } }

/** The settings that a topology's design asks for; every other key is edited in the file. */
export const SETTINGS: readonly { readonly heading: string; readonly settings: readonly Setting[] }[] = [
  {
    heading: 'Lanes',
    settings: [
      { key: 'lanes.count', label: 'Lanes', counts: 'lanes', unset: '16' },
      {
        key: 'default.key.serde',
        label: 'Default key',
        choices: ['string', 'long', 'integer', 'uuid', 'byteArray', 'json'],
        unset: 'none',
      },
      {
        key: 'default.value.serde',
        label: 'Default value',
        choices: ['json', 'string', 'long', 'byteArray'],
        unset: 'none',
      },
    ],
  },
  {
    heading: 'Guards',
    settings: [
      { key: 'timer.lane-affinity.guard', label: 'Timer lanes', choices: VERDICTS, unset: 'error' },
      { key: 'timer.lane-affinity.sampled-check', label: 'Sampled check', choices: VERDICTS, unset: 'warn' },
      {
        key: 'future-timestamp.guard',
        label: 'From the future',
        choices: ['reject', 'warn', 'error', 'off'],
        unset: 'reject',
      },
    ],
  },
  {
    heading: 'Time',
    settings: [
      { key: 'time.mode', label: 'Clock', choices: ['watermark', 'stream-time'], unset: 'watermark' },
      { key: 'time.idle-after-ms', label: 'Idle after', counts: 'ms', unset: '5 min' },
      { key: 'time.max-out-of-orderness-ms', label: 'Out of order', counts: 'ms', unset: '10 s' },
    ],
  },
  {
    heading: 'Errors',
    settings: [
      { key: 'default.deserialization.exception.handler', label: 'Unreadable', ...HANDLER, unset: 'fail' },
      { key: 'processing.exception.handler', label: 'Code throws', ...HANDLER, unset: 'fail' },
      { key: 'production.exception.handler', label: 'Not written', ...HANDLER, unset: 'fail' },
    ],
  },
  {
    heading: 'Delivery',
    settings: [
      {
        key: 'processing.guarantee',
        label: 'Guarantee',
        choices: ['at-least-once', 'exactly-once'],
        unset: 'exactly-once',
      },
    ],
  },
]
