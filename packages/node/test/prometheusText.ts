export interface Family {
  readonly type: string
  readonly help: string
  /** Value by name and labels, the labels sorted: `name{a="1",b="2"}`. */
  readonly samples: Map<string, number>
}

const NAME = '[a-zA-Z_:][a-zA-Z0-9_:]*'
const LABEL = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\[\\"n])*)"/y
const NUMBER = /^(?:[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?|[+-]Inf|NaN)$/
const SUFFIXES: { readonly [type: string]: readonly string[] } = { histogram: ['_bucket', '_sum', '_count'] }

/**
 * Reads Prometheus' text format 0.0.4 and takes nothing that its page does not allow: each family in one piece, help and
 * type before its samples, no sample twice, counters that end in `_total`, histograms that add up.
 *
 * @throws Error naming the line
 */
export function parsePrometheus(text: string): ReadonlyMap<string, Family> {
  if (!text.endsWith('\n')) throw new Error('The last line does not end')
  const families = new Map<string, Family>()
  let name = ''
  let help: string | undefined
  for (const line of text.slice(0, -1).split('\n')) {
    const fail = (why: string): never => {
      throw new Error(`${why}: ${line}`)
    }
    const head = new RegExp(`^# (HELP|TYPE) (${NAME}) (.+)$`).exec(line)
    if (head?.[1] === 'HELP') {
      if (families.has(head[2] as string)) fail('A family comes twice')
      name = head[2] as string
      help = head[3]
    } else if (head !== null) {
      if (head[2] !== name || help === undefined) fail('A type without its help before it')
      if (!/^(counter|gauge|histogram)$/.test(head[3] as string)) fail('No type')
      if ((head[3] === 'counter') !== name.endsWith('_total')) fail('Counters, and they alone, end in _total')
      families.set(name, { type: head[3] as string, help: help as string, samples: new Map() })
      help = undefined
    } else {
      const family = families.get(name) ?? fail('A sample before its type')
      addSample(line, name, family, fail)
    }
  }
  for (const [each, family] of families) checkFamily(each, family)
  return families
}

function addSample(line: string, name: string, { type, samples }: Family, fail: (why: string) => never): void {
  const [, sample = '', , labels = '', value = ''] = new RegExp(`^(${NAME})(\\{(.*)\\})? (\\S+)$`).exec(line) ?? []
  const allowed = (SUFFIXES[type] ?? ['']).map((suffix) => name + suffix)
  if (!allowed.includes(sample)) fail('A sample of another family, or none')
  if (!NUMBER.test(value)) fail('No number')
  const seen = new Map<string, string>()
  for (let at = 0; at < labels.length; at = LABEL.lastIndex + 1) {
    LABEL.lastIndex = at
    const found = LABEL.exec(labels)
    const [, label = '', of = ''] = found ?? fail('No label')
    if (!(labels[LABEL.lastIndex] === ',' || LABEL.lastIndex === labels.length)) fail('No end of a label')
    if (seen.has(label)) fail('A label twice')
    seen.set(label, of)
  }
  const sorted = [...seen].sort().map(([label, of]) => `${label}="${of}"`)
  const key = sorted.length === 0 ? sample : `${sample}{${sorted.join(',')}}`
  if (samples.has(key)) fail('A sample twice')
  samples.set(key, Number(value.replace('Inf', 'Infinity')))
}

function checkFamily(name: string, { type, samples }: Family): void {
  if (samples.size === 0) throw new Error(`${name} has no sample`)
  if (type === 'gauge') return
  for (const [key, value] of samples) if (!(value >= 0)) throw new Error(`${key} counts, and is ${value}`)
  if (type !== 'histogram') return
  const last = new Map<string, { readonly le: number; readonly value: number }>()
  for (const [key, value] of samples) {
    const le = /le="([^"]*)"/.exec(key)?.[1]
    if (le === undefined) continue
    const bound = Number(le.replace('Inf', 'Infinity'))
    const series = key.replace(/,?le="[^"]*"/, '').replace('{,', '{')
    const before = last.get(series)
    if (before !== undefined && (before.le >= bound || before.value > value)) throw new Error(`${key} is out of order`)
    last.set(series, { le: bound, value })
  }
  for (const [series, { le, value }] of last) {
    const count = samples.get(series.replace('_bucket', '_count').replace('{}', ''))
    if (le !== Number.POSITIVE_INFINITY || count !== value) throw new Error(`${series} does not add up`)
    if (!samples.has(series.replace('_bucket', '_sum').replace('{}', ''))) throw new Error(`${series} has no sum`)
  }
}
