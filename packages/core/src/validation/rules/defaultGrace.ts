import type { Finding, ValidationRule } from '../Finding.js'
import { formatDuration } from '../formatDuration.js'
import { severityOf } from '../severity.js'

const id = 'default-grace'

/** V11: windows whose grace nobody gave: with Kafka Streams' old default they close a day late (KIP-633). */
export const defaultGrace: ValidationRule = {
  id,
  spec: 'V11',
  check({ topology, config }) {
    const severity = severityOf(config, id)
    if (severity === undefined) return []
    return topology.nodes.flatMap(({ name, facts }): Finding[] => {
      const { window } = facts ?? {}
      if (window?.defaultGrace !== true) return []
      const grace = formatDuration(window.graceMs)
      return [
        {
          id: `${id}:${name}`,
          rule: id,
          severity,
          node: name,
          nodes: [name],
          path: [],
          places: [
            { node: name, title: `A grace of ${grace} that nobody gave.`, detail: "It is Kafka's old default." },
          ],
          title: `${name} keeps its windows open for ${grace}, which nobody asked for`,
          message:
            `${name} was given windows without a grace, so Kafka Streams' old default holds: they take records for ${grace} ` +
            'after their end, keep their state as long, and send unmatched records at once instead of when they close.',
          why:
            'The default grace of a day was a surprise to most: final results came a day late, stores kept a day of data. ' +
            'Newer Kafka Streams asks for the grace, or for none, in so many words.',
          fixes: [],
          note: 'Say the grace: ofTimeDifferenceAndGrace(…), or ofTimeDifferenceWithNoGrace(…).',
        },
      ]
    })
  },
}
