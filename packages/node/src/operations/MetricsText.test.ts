import { expect, it } from 'vitest'
import { MetricsText } from './MetricsText.js'

it('writes each family once, its help and type before its samples', () => {
  const out = new MetricsText()
  out.gauge('a', 'what a is', 1, { node: 'x' })
  out.counter('b_total', 'what b is', 2.5)
  out.gauge('a', 'what a is', -1, { node: 'y', lane: 0 })
  expect(out.toString()).toBe(
    [
      '# HELP a what a is',
      '# TYPE a gauge',
      'a{node="x"} 1',
      'a{node="y",lane="0"} -1',
      '# HELP b_total what b is',
      '# TYPE b_total counter',
      'b_total 2.5',
      '',
    ].join('\n'),
  )
})

it('escapes what a label may not hold as it is, and knows numbers without end', () => {
  const out = new MetricsText()
  out.gauge('a', 'h', Number.POSITIVE_INFINITY, { node: 'say "\\"\nnow' })
  out.gauge('a', 'h', Number.NEGATIVE_INFINITY)
  expect(out.toString()).toContain('a{node="say \\"\\\\\\"\\nnow"} +Inf\na -Inf\n')
})

it('counts in each bucket of a histogram those of the ones below it, too', () => {
  const out = new MetricsText()
  out.histogram('h', 'help', { bounds: [0.1, 1], counts: [2, 0, 3], sum: 7.5 }, { phase: 'cut' })
  expect(out.toString().split('\n').slice(1)).toEqual([
    '# TYPE h histogram',
    'h_bucket{phase="cut",le="0.1"} 2',
    'h_bucket{phase="cut",le="1"} 2',
    'h_bucket{phase="cut",le="+Inf"} 5',
    'h_sum{phase="cut"} 7.5',
    'h_count{phase="cut"} 5',
    '',
  ])
})
