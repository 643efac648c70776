/** The tokens that a drawing is made with. */
export const DRAWN_TOKENS = [
  'ground',
  'surface',
  'raised',
  'line',
  'line-strong',
  'ink',
  'ink-2',
  'ink-3',
  'rail',
  'timer',
  'segment',
  'serde',
  'on-serde',
  'serde-line',
  'caution',
  'caution-line',
  'danger',
  'danger-line',
  'on-mark',
] as const

export type DrawnToken = (typeof DRAWN_TOKENS)[number]

/** Colours by token, as any program that shows SVG reads them: `#rrggbb`. */
export type Palette = { readonly [token in DrawnToken]: string }

/** The tokens as they are now, in dark or light; each as the browser would paint it, for few programs know `oklch()`. */
export function readPalette(page: Document): Palette {
  const style = getComputedStyle(page.documentElement)
  const canvas = page.createElement('canvas')
  canvas.width = canvas.height = 1
  const context = canvas.getContext('2d', { willReadFrequently: true })
  const paint = (token: DrawnToken): string => {
    if (context === null) return '#888888'
    context.fillStyle = style.getPropertyValue(`--${token}`).trim()
    context.fillRect(0, 0, 1, 1)
    return toHex([...context.getImageData(0, 0, 1, 1).data].slice(0, 3))
  }
  return Object.fromEntries(DRAWN_TOKENS.map((token) => [token, paint(token)])) as unknown as Palette
}

function toHex(channels: readonly number[]): string {
  return `#${channels.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`
}
