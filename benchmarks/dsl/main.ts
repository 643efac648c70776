import { parseArgs } from 'node:util'
import { runCases } from '../engine/runCases.js'
import { dslCases } from './dslCases.js'

const { values } = parseArgs({
  options: {
    scale: { type: 'string', default: '1' },
    runs: { type: 'string', default: '3' },
    only: { type: 'string' },
  },
})

await runCases({
  cases: dslCases,
  scale: positive('scale', values.scale),
  runs: Math.ceil(positive('runs', values.runs)),
  ...(values.only === undefined ? {} : { only: values.only }),
  print: (line) => process.stdout.write(`${line}\n`),
})

function positive(name: string, text: string): number {
  const number = Number(text)
  if (number > 0 && Number.isFinite(number)) return number
  throw new TypeError(`--${name} must be a number above 0; got "${text}".`)
}
