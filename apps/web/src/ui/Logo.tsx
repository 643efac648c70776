/** Two lanes and the switch between them; also reads as "not equal". */
export function Logo(props: { readonly size?: number }) {
  const { size = 22 } = props
  return (
    <svg viewBox="0 0 24 24" width={size} height={size} aria-hidden="true" fill="none" strokeLinecap="round">
      <mask id="logo-gap" maskUnits="userSpaceOnUse" x="0" y="0" width="24" height="24">
        <rect width="24" height="24" fill="#fff" />
        <path d={SWITCH} stroke="#000" strokeWidth="6.4" />
      </mask>
      <path d="M2.2 8h19.6M2.2 16h19.6" stroke="var(--ink)" strokeWidth="2.4" mask="url(#logo-gap)" />
      <path d={SWITCH} stroke="var(--timer)" strokeWidth="2.4" />
    </svg>
  )
}

const SWITCH = 'M4.6 21.2h.9c1.5 0 2.5-.7 3.2-2.1L15.3 4.9c.7-1.4 1.7-2.1 3.2-2.1h.9'
