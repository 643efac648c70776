import type { AnalysisResult, TopologyDocument } from '@lanescope/shared'
import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { fontRules } from './fontRules.js'
import { readPalette } from './palette.js'
import { TopologyDrawing } from './TopologyDrawing.js'

/** More than this, in px of the picture, few programs open. */
const MOST_PIXELS = 16_000
/** A picture for a page or a slide is sharp at twice its size. */
const SHARP = 2

/** The topology as the text of an SVG file, in the colours of the theme that is on, with its fonts. */
export async function drawSvg(document: TopologyDocument, analysis: AnalysisResult | null): Promise<string> {
  const page = globalThis.document
  const fonts = await fontRules(page)
  const holder = page.createElement('div')
  const root = createRoot(holder)
  flushSync(() =>
    root.render(<TopologyDrawing document={document} analysis={analysis} palette={readPalette(page)} fonts={fonts} />),
  )
  const svg = holder.firstElementChild
  const text = svg === null ? '' : new XMLSerializer().serializeToString(svg)
  root.unmount()
  return `${text}\n`
}

/** The same as a PNG, twice as large, so that it stays sharp. @throws Error when the browser cannot paint it */
export async function drawPng(svg: string): Promise<Blob> {
  const image = new Image()
  const url = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }))
  try {
    image.src = url
    await image.decode()
    const scale = Math.min(SHARP, MOST_PIXELS / Math.max(image.width, image.height))
    const canvas = globalThis.document.createElement('canvas')
    canvas.width = Math.round(image.width * scale)
    canvas.height = Math.round(image.height * scale)
    canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height)
    return await new Promise((resolve, reject) => {
      canvas.toBlob((blob) => (blob === null ? reject(new Error(NO_PICTURE)) : resolve(blob)), 'image/png')
    })
  } finally {
    URL.revokeObjectURL(url)
  }
}

const NO_PICTURE = 'The browser could not paint the picture. Export the drawing as SVG instead.'
