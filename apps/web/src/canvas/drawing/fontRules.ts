/** Families and weights that a drawing uses. */
const USED = [
  { family: 'IBM Plex Sans', weights: ['400', '500'] },
  { family: 'IBM Plex Mono', weights: ['500'] },
] as const

/**
 * `@font-face` rules with the page's own fonts inside, so that a drawing looks the same elsewhere. What cannot be had is
 * left out: a reader's own font takes its place.
 */
export async function fontRules(page: Document): Promise<string> {
  const rules = [...page.styleSheets].flatMap(rulesOf).filter(isUsed)
  const texts = await Promise.all(rules.map(inlined))
  return texts.join('')
}

function rulesOf(sheet: CSSStyleSheet): readonly CSSFontFaceRule[] {
  return [...sheet.cssRules].filter((rule) => rule instanceof CSSFontFaceRule)
}

function isUsed({ style }: CSSFontFaceRule): boolean {
  const family = style.getPropertyValue('font-family').replaceAll(/["']/g, '')
  const weight = style.getPropertyValue('font-weight')
  return USED.some((used) => used.family === family && (used.weights as readonly string[]).includes(weight))
}

async function inlined({ style, parentStyleSheet }: CSSFontFaceRule): Promise<string> {
  const source = /url\("?([^")]+\.woff2)"?\)/.exec(style.getPropertyValue('src'))?.[1]
  if (source === undefined) return ''
  const response = await fetch(new URL(source, parentStyleSheet?.href ?? location.href))
  if (!response.ok) return ''
  const bytes = new Uint8Array(await response.arrayBuffer())
  const base64 = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
  const property = (name: string) => `${name}:${style.getPropertyValue(name)};`
  return `@font-face{${property('font-family')}${property('font-weight')}src:url(data:font/woff2;base64,${base64}) format("woff2")}`
}
