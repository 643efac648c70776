import { useEffect } from 'react'
import { useNotice } from '../store/context.js'
import { useServices } from './services.js'
import './notice.css'

/** How long a thing said in passing stands, in ms; a refusal a little longer. */
const STANDS_MS = { info: 4_000, caution: 6_000, danger: 9_000 } as const

export function Notice() {
  const notice = useNotice((state) => state.notice)
  const dismiss = useNotice((state) => state.dismiss)
  const { clock } = useServices()
  useEffect(() => {
    if (!notice) return
    const end = clock.after(STANDS_MS[notice.tone], () => dismiss(notice.n))
    return () => end.cancel()
  }, [notice, dismiss, clock])
  return (
    <div className="notices" role="status" aria-live="polite">
      {notice && (
        <button key={notice.n} type="button" className={`notice ${notice.tone}`} onClick={() => dismiss(notice.n)}>
          {notice.message}
        </button>
      )}
    </div>
  )
}
