type Labels = Readonly<Record<string, string | number>>

/** Writes the Prometheus text format, version 0.0.4: each family once, with its help and its type. */
export class MetricsText {
  readonly #families = new Map<string, { readonly head: string; readonly lines: string[] }>()

  gauge(name: string, help: string, value: number, labels: Labels = {}): void {
    this.#add(name, 'gauge', help, [[name, value, labels]])
  }

  /** @param name ends in `_total` */
  counter(name: string, help: string, value: number, labels: Labels = {}): void {
    this.#add(name, 'counter', help, [[name, value, labels]])
  }

  /** @param counts of each bucket, those of the ones below it not included; the last one is unbounded */
  histogram(name: string, help: string, { bounds, counts, sum }: HistogramFacts, labels: Labels = {}): void {
    let below = 0
    const buckets = counts.map((count, index): Sample => {
      below += count
      return [`${name}_bucket`, below, { ...labels, le: bounds[index] ?? '+Inf' }]
    })
    this.#add(name, 'histogram', help, [...buckets, [`${name}_sum`, sum, labels], [`${name}_count`, below, labels]])
  }

  toString(): string {
    return [...this.#families.values()].map(({ head, lines }) => `${head}\n${lines.join('\n')}\n`).join('')
  }

  #add(name: string, type: string, help: string, samples: readonly Sample[]): void {
    let family = this.#families.get(name)
    if (family === undefined) {
      family = { head: `# HELP ${name} ${help}\n# TYPE ${name} ${type}`, lines: [] }
      this.#families.set(name, family)
    }
    for (const [sample, value, labels] of samples)
      family.lines.push(`${sample}${labelText(labels)} ${numberText(value)}`)
  }
}

export interface HistogramFacts {
  /** Upper bounds, included, ascending. */
  readonly bounds: readonly number[]
  /** One more than bounds. */
  readonly counts: readonly number[]
  readonly sum: number
}

type Sample = readonly [name: string, value: number, labels: Labels]

function labelText(labels: Labels): string {
  const entries = Object.entries(labels)
  if (entries.length === 0) return ''
  return `{${entries.map(([name, value]) => `${name}="${escaped(String(value))}"`).join(',')}}`
}

function escaped(text: string): string {
  return text.replace(/\\/g, '\\\\').replace(/"/g, '\\"').replace(/\n/g, '\\n')
}

function numberText(value: number): string {
  if (value === Number.POSITIVE_INFINITY) return '+Inf'
  return value === Number.NEGATIVE_INFINITY ? '-Inf' : String(value)
}
