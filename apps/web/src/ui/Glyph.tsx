import type { ReactNode } from 'react'
import './glyph.css'

/** Small drawings on a 16-unit grid, in the current colour. */
const DRAWINGS = {
  source: <path d="M2.8 2.8v10.4M2.8 8h9.6M9.2 4.9 12.4 8l-3.2 3.1" />,
  sink: <path d="M13.2 2.8v10.4M2.4 8h7.8M7 4.9 10.2 8 7 11.1" />,
  processor: (
    <path d="M6.2 2.8c-1.9 0-1.5 1.4-1.5 2.8S4 8 2.9 8c1.1 0 1.8 1 1.8 2.4s-.4 2.8 1.5 2.8M9.8 2.8c1.9 0 1.5 1.4 1.5 2.8S12 8 13.1 8c-1.1 0-1.8 1-1.8 2.4s.4 2.8-1.5 2.8" />
  ),
  timer: (
    <>
      <circle cx="8" cy="8.8" r="4.9" />
      <path d="M8 6v2.9l1.9 1.3M6.5 1.7h3" />
    </>
  ),
  table: <path d="M2.6 3.4h10.8v9.2H2.6zM2.6 6.6h10.8M6.3 6.6v6" />,
  globalTable: (
    <>
      <path d="M2.6 3.4h10.8v9.2H2.6zM2.6 6.6h10.8" />
      <circle cx="8" cy="9.6" r="1.5" />
    </>
  ),
  toTable: <path d="M6.2 3.4h7.2v9.2H6.2zM6.2 6.6h7.2M9.400 6.600v6M1.600 9.600h2.800M3.200 8 4.800 9.600 3.2 11.2" />,
  filter: <path d="M2.6 4.2h10.8M4.6 8h6.8M6.6 11.8h2.8" />,
  filterNot: <path d="M2.6 4.2h10.8M4.6 8h6.8M6.6 11.800h2.800M3.4 13.800 12.600 2.2" />,
  map: <path d="M2.6 12c4.6 0 4.2-8 9.6-8M9.7 1.8 12.4 4 9.7 6.3" />,
  mapBoth: (
    <path d="M2.400 9.6c4 0 3.400-6.2 8.400-6.2M8.700 1.400l2.100 2-2.100 2M5 13c4 0 3.400-6.2 8.4-6.2M11.300 4.800l2.100 2-2.100 2" />
  ),
  flatMap: <path d="M2.4 8h3.2M5.6 8c3 0 2.4-4.4 6.6-4.4M5.6 8h6.6M5.6 8c3 0 2.4 4.4 6.6 4.4" />,
  flatMapBoth: (
    <path d="M2.400 5.400v5.200M2.400 8h3.200M5.600 8c3 0 2.400-4.400 5-4.400M5.600 8h5M5.6 8c3 0 2.4 4.400 5 4.400M13.400 2.400v2.400M13.400 6.800v2.400M13.400 11.200v2.4" />
  ),
  rekey: <path d="M2.4 4h3.2l4.8 8h3.2M2.4 12h3.2l1.5-2.5M8.9 6.5 10.4 4h3.2" />,
  peek: (
    <>
      <path d="M1.8 8c1.6-2.7 3.7-4 6.2-4s4.6 1.3 6.2 4c-1.6 2.7-3.7 4-6.2 4s-4.6-1.3-6.2-4z" />
      <circle cx="8" cy="8" r="1.7" />
    </>
  ),
  branch: <path d="M2.400 8h2.600c3 0 2.200-4.400 5-4.400h3.600M5 8c3 0 2.200 4.400 5 4.4h3.6" />,
  merge: <path d="M2.4 3.600h2.600c3 0 2.2 4.4 5 4.400h3.600M2.4 12.400h2.600c3 0 2.2-4.4 5-4.4" />,
  repartition: <path d="M6.200 2.800v10.400M9 2.800v10.400M2 8h2.200M11 8h3M12 5.9 14.100 8 12 10.100" />,
  through: <path d="M8 2.800v10.400M2.400 8h3.200M10.400 8h3.2M11.400 5.8 13.6 8l-2.200 2.2" />,
  count: <path d="M3.600 3.400v9.200M6.400 3.400v9.200M9.200 3.400v9.200M12 3.4v9.2M2 11.200 13.800 4.8" />,
  reduce: <path d="M2.400 3.400h3.400L9.400 8h4.200M2.400 8h7M2.400 12.600h3.400L9.400 8M11.4 5.8 13.6 8l-2.200 2.2" />,
  cogroup: (
    <path d="M9.200 4.400h4.400v7.200H9.200zM2.200 4.400h2.400c2.400 0 2.200 2.200 4.600 2.200M2.200 11.600h2.400c2.400 0 2.200-2.2 4.600-2.2" />
  ),
  sum: <path d="M11.8 4.800V3H4l4.2 5L4 13h7.800v-1.8" />,
  session: <path d="M2.4 4.800v6.400M7.2 4.800v6.400M2.4 8h4.800M10.2 4.800v6.400M13.6 4.800v6.400M10.2 8h3.4" />,
  sliding: <path d="M2.4 3.200v4M10.2 3.200v4M2.4 5.200h7.800M5.8 8.800v4M13.6 8.800v4M5.8 10.800h7.8" />,
  join: <path d="M2.4 3.600c4.4 0 4 4.4 7.6 4.400h3.600M2.4 12.400c4.4 0 4-4.4 7.6-4.400M11.4 5.8 13.6 8l-2.2 2.2" />,
  drops: <path d="M2.4 4.200h11.200M8 4.200v7.600M5 9.200l3 3 3-3M4.600 14h6.8" />,
  globalJoin: (
    <>
      <path d="M2.400 3.600c4.400 0 4 4.400 7.600 4.400h3.600M5.800 12c3 0 2.600-4 4.200-4M11.4 5.8 13.6 8l-2.2 2.2" />
      <circle cx="4" cy="12" r="1.7" />
    </>
  ),
  keyJoin: (
    <>
      <path d="M2.400 3.600c4.400 0 4 4.400 7.600 4.400h3.600M11.4 5.8 13.6 8l-2.2 2.2M5.400 12h5.200v1.800M8 12v1.400" />
      <circle cx="3.800" cy="12" r="1.6" />
    </>
  ),
  paste: (
    <path d="M5.400 3.600H3.400v9.800h9.200V3.600h-2M5.400 2.400h5.200v2.400H5.400zM5.400 7.600h5.200M5.400 10.200h3.600" />
  ),
  suppress: <path d="M2.2 8h7.200M6.8 5.4 9.4 8l-2.6 2.600M11 3.200v9.600M13.6 3.200v9.6" />,
  window: <path d="M2.4 4.8v6.4M6.1 4.8v6.4M9.9 4.8v6.4M13.6 4.8v6.4M2.4 8h11.2" />,
  store: (
    <>
      <ellipse cx="8" cy="4.4" rx="4.6" ry="1.9" />
      <path d="M3.4 4.4v7.1c0 1.1 2 1.9 4.6 1.9s4.6-.8 4.6-1.9V4.4" />
    </>
  ),
  example: <path d="M2 4h3.2M2 12h4.4l4-8H14M9.2 12H14" />,
  folder: <path d="M2.3 12.7V3.6h4l1.5 1.8h5.9v7.3z" />,
  plus: <path d="M8 3.2v9.6M3.2 8h9.6" />,
  minus: <path d="M3.2 8h9.6" />,
  close: <path d="m4.2 4.2 7.6 7.6M11.8 4.2l-7.6 7.6" />,
  up: <path d="M4.4 9.7 8 6.1l3.6 3.6" />,
  down: <path d="M4.4 6.3 8 9.9l3.6-3.6" />,
  undo: <path d="M5.6 2.9 3 5.5l2.6 2.6M3.2 5.5h6.6a3 3 0 0 1 0 6H6.4" />,
  redo: <path d="M10.4 2.9 13 5.5l-2.6 2.6M12.8 5.5H6.2a3 3 0 0 0 0 6h3.4" />,
  search: (
    <>
      <circle cx="7" cy="7" r="4.1" />
      <path d="m10 10 3.3 3.3" />
    </>
  ),
  play: <path className="solid" d="M4.8 3v10l8.4-5z" />,
  pause: <path className="heavy" d="M5.3 3.6v8.8M10.7 3.6v8.8" />,
  stop: <path className="solid" d="M4.2 4.2h7.6v7.6H4.2z" />,
  export: <path d="M8 10.2V2.8M4.9 5.5 8 2.6l3.1 2.9M3 9.4V13h10V9.4" />,
  theme: (
    <>
      <circle cx="8" cy="8" r="5" />
      <path className="solid" d="M8 3a5 5 0 0 1 0 10z" />
    </>
  ),
  check: <path d="m3.4 8.5 3 3 6.2-6.6" />,
  none: <path d="M4 8h8" />,
  barred: (
    <>
      <circle cx="8" cy="8" r="4.9" />
      <path d="m4.6 4.6 6.8 6.8" />
    </>
  ),
  fit: <path d="M3 6V3h3M10 3h3v3M13 10v3h-3M6 13H3v-3" />,
  tidy: <path d="M2.4 3.4h4.2v3.2H2.4zM9.4 3.4h4.2v3.2H9.4zM9.4 9.6h4.2v3.2H9.4zM6.6 5h2.8M8 5v6.2h1.4" />,
  link: (
    <path d="m6.4 9.6 3.2-3.2M7.1 4.7l1.6-1.6a2.6 2.6 0 0 1 3.7 3.7l-1.6 1.6M8.9 11.3l-1.6 1.6a2.6 2.6 0 0 1-3.7-3.7l1.6-1.6" />
  ),
  arrow: <path d="M2.4 8h10.4M9.6 4.8 12.8 8l-3.2 3.2" />,
  code: <path d="M5.6 4.4 2.2 8l3.4 3.6M10.4 4.4 13.8 8l-3.4 3.6" />,
  more: (
    <>
      <circle className="solid" cx="3.6" cy="8" r="1.1" />
      <circle className="solid" cx="8" cy="8" r="1.1" />
      <circle className="solid" cx="12.4" cy="8" r="1.1" />
    </>
  ),
  trash: <path d="M3 4.4h10M6.3 4.2V2.8h3.4v1.4M4.3 4.6l.6 8.6h6.2l.6-8.6" />,
  note: <path d="M3 3h10v7l-3 3H3zM10 13v-3h3" />,
  gear: (
    <>
      <path d="M2.4 4.4h6.2M11.8 4.4h1.8M2.4 11.6h1.8M7.4 11.6h6.2" />
      <circle cx="10.2" cy="4.4" r="1.6" />
      <circle cx="5.8" cy="11.6" r="1.6" />
    </>
  ),
} as const satisfies { readonly [name: string]: ReactNode }

export type GlyphName = keyof typeof DRAWINGS

/** Decoration beside a word; a control without words carries its own label. */
export function Glyph(props: { readonly name: GlyphName; readonly size?: number; readonly className?: string }) {
  const { name, size = 16, className } = props
  return (
    <svg
      className={className ? `glyph ${className}` : 'glyph'}
      viewBox="0 0 16 16"
      width={size}
      height={size}
      aria-hidden="true"
    >
      {DRAWINGS[name]}
    </svg>
  )
}
