import { describe, expect, it } from 'vitest'
import { scheduledIn, withPunctuator } from './punctuator.js'
import { starterCode } from './starterCode.js'

const starter = starterCode({ name: 'Sum', keyType: 'string', valueType: 'Event', withTimers: true })

describe('a punctuator', () => {
  it('is scheduled in an init of its own, with what that imports', () => {
    const text = withPunctuator(starter, 'Sum') ?? ''
    expect(text.split('\n')[0]).toBe(
      "import type { CallbackContext, Processor, ProcessorContext, Record, Timer } from '@lanescope/core'",
    )
    expect(text).toContain(
      'implements Processor<string, Event, string, Event> {\n  init(context: ProcessorContext) {\n' +
        "    context.schedule(10_000, 'wall-clock-time', (at) => {\n",
    )
    expect(text).toMatch(/ {4}\}\)\n {2}\}\n\n {2}process\(/)
    expect([scheduledIn(starter), scheduledIn(text)]).toEqual([0, 1])
  })

  it('comes first in an init that is there, by the name that its context has there', () => {
    const once = withPunctuator(starter, 'Sum') ?? ''
    const twice = withPunctuator(once.replaceAll('context', 'ctx0'), 'Sum') ?? ''
    expect(twice.match(/init\(/g)).toHaveLength(1)
    expect(twice.match(/ctx0\.schedule\(/g)).toHaveLength(2)
    expect(twice.match(/ProcessorContext/g)).toHaveLength(2)
    expect(scheduledIn(twice)).toBe(2)
  })

  it('brings its import where nothing of the engine is imported', () => {
    expect(withPunctuator('export class Sum {\n}\n', 'Sum')).toMatch(
      /^import type \{ ProcessorContext \} from '@lanescope\/core'\nexport class Sum \{\n {2}init\(/,
    )
  })

  it('goes into no other class', () => {
    expect(withPunctuator(starter, 'Su')).toBeUndefined()
    expect(withPunctuator('export const sum = 1', 'sum')).toBeUndefined()
  })
})
