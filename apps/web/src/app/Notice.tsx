import { useEffect } from 'react'
import { useNotice } from '../store/context.js'
import { useServices } from './services.js'
import './notice.css'

/** How long a thing said in passing stands, in ms; a refusal a little longer. */
const STANDS_MS = { info: 4_000, caution: 6_000, danger: 9_000 } as const
/** One that offers something is read and decided on. */
const OFFER_STANDS_MS = 12_000

export function Notice() {
  const notice = useNotice((state) => state.notice)
  const dismiss = useNotice((state) => state.dismiss)
  const { clock } = useServices()
  useEffect(() => {
    if (!notice) return
    const end = clock.after(notice.act ? OFFER_STANDS_MS : STANDS_MS[notice.tone], () => dismiss(notice.n))
    return () => end.cancel()
  }, [notice, dismiss, clock])
  return (
    <div className="notices" role="status" aria-live="polite">
      {notice && (
        <div key={notice.n} className={`notice ${notice.tone}`}>
          <button type="button" onClick={() => dismiss(notice.n)}>
            {notice.message}
          </button>
          {notice.act && (
            <button
              type="button"
              className="notice-act"
              onClick={() => {
                dismiss(notice.n)
                notice.act?.run()
              }}
            >
              {notice.act.label}
            </button>
          )}
        </div>
      )}
    </div>
  )
}
