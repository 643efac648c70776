/** The parts of the host that the token is read from and kept in. */
export interface TokenHost {
  readonly location: { readonly hash: string; readonly pathname: string; readonly search: string }
  readonly history: { replaceState(data: unknown, unused: string, url: string): void }
  readonly storage: { getItem(key: string): string | null; setItem(key: string, value: string): void }
}

const KEY = 'lanescope.token'

/**
 * Takes the token out of the address's fragment into this tab's storage, so that it is neither in the history
 * nor in a copied link; a reload finds it in the storage.
 */
export function takeToken(host: TokenHost): string | null {
  const fragment = new URLSearchParams(host.location.hash.replace(/^#/, ''))
  const given = fragment.get('token')
  if (given === null) return host.storage.getItem(KEY)
  host.storage.setItem(KEY, given)
  host.history.replaceState(null, '', host.location.pathname + host.location.search)
  return given
}
