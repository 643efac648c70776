import type { Severity } from '@lanescope/core'
import './severity.css'

const WORDS: { readonly [severity in Severity]: string } = { error: 'Error', warn: 'Warning', hint: 'Hint' }

/** A shape for each severity: octagon, triangle, circle. The hue only repeats it. */
export function SeverityMark(props: { readonly severity: Severity; readonly size?: number }) {
  const { severity, size = 14 } = props
  return (
    <svg
      className={`severity ${severity}`}
      viewBox="0 0 16 16"
      width={size}
      height={size}
      role="img"
      aria-label={WORDS[severity]}
    >
      {severity === 'error' && (
        <>
          <path className="body" d="M5.2 1h5.6L15 5.2v5.6L10.8 15H5.2L1 10.8V5.2z" />
          <path className="sign" d="m5.6 5.6 4.8 4.8M10.4 5.6l-4.8 4.8" />
        </>
      )}
      {severity === 'warn' && (
        <>
          <path
            className="body"
            d="M8 1.3c.5 0 .9.2 1.1.7l6 11.2c.5.9-.1 1.9-1.1 1.9H2c-1 0-1.6-1-1.1-1.9L6.9 2c.2-.5.6-.7 1.1-.7z"
          />
          <path className="sign" d="M8 6v4" />
          <circle className="dot" cx="8" cy="12.4" r=".95" />
        </>
      )}
      {severity === 'hint' && (
        <>
          <circle className="ring" cx="8" cy="8" r="6" />
          <path className="line" d="M8 7.4v3.8" />
          <circle className="point" cx="8" cy="5" r=".9" />
        </>
      )}
    </svg>
  )
}
