/** Two byte strings one above the other, the first difference marked: record above timer, as everywhere. */
export function HexRows(props: {
  readonly rows: readonly {
    readonly label: string
    readonly bytes: string
    readonly lane: number
    readonly kind: 'flow' | 'timer'
  }[]
}) {
  const { rows } = props
  const pairs = rows.map((row) => row.bytes.match(/../g) ?? [])
  const longest = Math.max(...pairs.map((one) => one.length))
  const difference = Array.from({ length: longest }, (_, index) => index).find(
    (index) => new Set(pairs.map((one) => one[index])).size > 1,
  )
  const from = Math.max(0, Math.min((difference ?? 0) - 2, longest - SHOWN))
  return (
    <div className="hex-rows">
      {rows.map((row, index) => (
        <div key={row.label} className="hex-row">
          <span className={row.kind}>{row.label}</span>
          <span className="hex-cells" role="img" aria-label={`${row.label} bytes ${pairs[index]?.join(' ')}`}>
            {from > 0 && <i className="more">…</i>}
            {pairs[index]?.slice(from, from + SHOWN).map((pair, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a byte has no identity but its place.
              <i key={at} className={from + at === difference ? 'differs' : ''}>
                {pair}
              </i>
            ))}
          </span>
          <b className={`hex-lane ${row.kind}`}>lane {row.lane}</b>
        </div>
      ))}
    </div>
  )
}

/** More bytes than that are windowed around the first difference. */
const SHOWN = 6
