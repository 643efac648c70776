const grouped = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 })
const small = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 })

export function formatCount(value: number): string {
  return grouped.format(value)
}

/** `1,240 /s`; below ten one decimal, so that a slow stream is not shown as 0. `—` while unknown. */
export function formatRate(perSecond: number | null): string {
  if (perSecond === null) return '—'
  return `${perSecond > 0 && perSecond < 10 ? small.format(perSecond) : grouped.format(perSecond)} /s`
}

/** A share of 0 … 1 as `54 %`; what is more than nothing is never shown as `0 %`, nor less than all as `100 %`. */
export function formatShare(share: number | null): string {
  if (share === null) return '—'
  const percent = Math.round(share * 100)
  if (percent === 0 && share > 0) return '< 1 %'
  if (percent === 100 && share < 1) return '99 %'
  return `${percent} %`
}

/** `3 records`, `1 record`. */
export function formatOf(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`
}
