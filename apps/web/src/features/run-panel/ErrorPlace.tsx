import type { WireError } from '@lanescope/shared'
import { useStores } from '../../store/context.js'
import { placeOf } from './placeOf.js'

/** The way to the line of the user's code that an error is about; nothing where it is about none. */
export function OpenPlace(props: { readonly error: WireError; readonly primary?: boolean }) {
  const { error, primary = true } = props
  const { view } = useStores()
  const place = placeOf(error)
  if (place === null) return null
  const { file: path, line } = place
  return (
    <button
      type="button"
      className={primary ? 'button primary small' : 'button lined small'}
      title={`src/${path}:${line}`}
      onClick={() => view.getState().openCode({ path, line })}
    >
      Open the code at line {line}
    </button>
  )
}

/** The user's own lines of the stack. */
export function ErrorStack({ error }: { readonly error: WireError }) {
  if (error.stack === undefined) return null
  return (
    <details className="fatal-stack">
      <summary>Stack</summary>
      <pre className="mono">{error.stack}</pre>
    </details>
  )
}
