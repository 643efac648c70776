import { useLive } from './LiveProvider.js'

/** Beside a live view: how old it is when it is not live, else what the view says of its own sampling. */
export function LiveNote(props: { readonly children: string; readonly title?: string }) {
  const state = useLive((live) => live.freshness.state)
  const why = useLive((live) => ('why' in live.freshness ? live.freshness.why : ''))
  const old = state === 'stale' || state === 'ended' || state === 'paused'
  return (
    <span className={old ? 'live-note old' : 'live-note'} title={props.title ?? props.children}>
      {old && <b>{why}</b>}
      {old && props.children ? ' · ' : ''}
      {props.children}
    </span>
  )
}
