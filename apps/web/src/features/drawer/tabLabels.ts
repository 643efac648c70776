import type { TabId } from '../../store/viewStore.js'

/** What each tab of the drawer is called, in their order; apart from the tabs, so that a command can name one. */
export const TAB_LABELS: { readonly [id in TabId]: string } = {
  problems: 'Problems',
  lanes: 'Lanes',
  timers: 'Timers',
  segments: 'Segments',
  records: 'Records',
  epochs: 'Epochs',
  log: 'Log',
  code: 'Code',
}
