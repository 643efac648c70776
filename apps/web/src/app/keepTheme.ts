import type { AppStores } from '../store/AppStores.js'
import type { Theme } from '../store/viewStore.js'

const KEY = 'lanescope.theme'
const THEMES: readonly Theme[] = ['dark', 'light', 'system']

/** The theme chosen on an earlier visit. */
export function readTheme(storage: Pick<Storage, 'getItem'>): Theme {
  return THEMES.find((theme) => theme === storage.getItem(KEY)) ?? 'system'
}

/** Puts the theme on the root element and remembers it; "system" follows the system while the page is open. */
export function keepTheme(host: Window, stores: AppStores): void {
  const prefersLight = host.matchMedia('(prefers-color-scheme: light)')
  const apply = () => {
    const { theme } = stores.view.getState()
    const shown = theme === 'system' ? (prefersLight.matches ? 'light' : 'dark') : theme
    host.document.documentElement.dataset.theme = shown
  }
  prefersLight.addEventListener('change', apply)
  stores.view.subscribe((state, before) => {
    if (state.theme === before.theme) return
    host.localStorage.setItem(KEY, state.theme)
    apply()
  })
  apply()
}
