/** A rate over the last minute: an area with its line. Where nothing was measured nothing is drawn. */
export function Sparkline(props: {
  readonly series: readonly { readonly ageMs: number; readonly perSecond: number }[]
  readonly spanMs: number
  readonly label: string
}) {
  const { series, spanMs, label } = props
  const most = Math.max(1, ...series.map((point) => point.perSecond)) * 1.12
  const points = series.map(
    (point) => `${round(100 - (point.ageMs / spanMs) * 100)},${round(40 - (point.perSecond / most) * 38)}`,
  )
  const first = points[0]?.split(',')[0] ?? '100'
  return (
    <figure className="sparkline">
      <svg viewBox="0 0 100 40" preserveAspectRatio="none" role="img" aria-label={label}>
        {points.length > 1 && (
          <>
            <polygon points={`${first},40 ${points.join(' ')} 100,40`} />
            <polyline points={points.join(' ')} />
          </>
        )}
      </svg>
      <figcaption>
        <span>−{Math.round(spanMs / 1_000)} s</span>
        <span>now</span>
      </figcaption>
    </figure>
  )
}

const round = (value: number) => Math.round(value * 100) / 100
