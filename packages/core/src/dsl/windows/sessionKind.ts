import { sessionWindowed } from '../../serde/windowed.js'
import { SessionStoreBuilder, type SessionStoreSettings } from '../../state/builders/SessionStoreBuilder.js'
import type { StoreBuilder } from '../../state/StoreBuilder.js'
import type { TopologyConfig } from '../../topology/TopologyConfig.js'
import { topologyError } from '../../topology/topologyError.js'
import type { Materialized } from '../Materialized.js'
import { sessionAggregate } from '../operators/sessionAggregate.js'
import type { SessionWindows } from '../SessionWindows.js'
import { sessionTableView } from '../sessionTableView.js'
import type { WindowKind } from './WindowKind.js'
import { isInMemory, retentionOf } from './windowStore.js'

type Options = Materialized<any, any>['options']

/** Windows of activity. */
export function sessionKind(windows: SessionWindows): WindowKind {
  const { inactivityGapMs, graceMs } = windows
  const keepMs = inactivityGapMs + graceMs
  return {
    facts: {
      // Counted from a session's end, which is inclusive: it closes once the clock is past that by more than gap + grace.
      window: { sizeMs: inactivityGapMs + 1, advanceMs: 1, graceMs, keepMs },
      closes: { waitMs: keepMs, endInclusive: true },
    },
    wrap: sessionWindowed,
    store: (name, options, config, onClose) => sessionStore(name, windows, options, config, onClose),
    supplier: (settings) => sessionAggregate(windows, settings),
    view: sessionTableView,
  }
}

function sessionStore(
  name: string,
  { inactivityGapMs, graceMs }: SessionWindows,
  options: Options,
  config: TopologyConfig,
  onClose: boolean,
): StoreBuilder<any, any> {
  const keepMs = inactivityGapMs + graceMs
  // A session that ended so long ago may still grow: see SessionSettings.
  const asked = { byTime: onClose, closes: onClose, leastRetentionMs: keepMs + 1 }
  const { supplier } = options
  if (supplier !== undefined) {
    if (supplier instanceof SessionStoreBuilder) return supplier.withChanges({ ...asked, picked: true })
    throw topologyError(
      `The store "${name}" is no session store: sessions need one. Make it by Stores.session, or name it only.`,
      { store: name },
    )
  }
  const inMemory = isInMemory(options, config)
  const needs = {
    leastRetentionMs: keepMs,
    rule: 'the session inactivity gap plus the grace period',
    got: `gap=[${inactivityGapMs}], grace=[${graceMs}]`,
  }
  const settings: SessionStoreSettings = {
    name,
    retentionMs: retentionOf(name, needs, options.retentionMs),
    expiry: inMemory ? 'exact' : 'segments',
    format: config['dsl.store.format'] === 'headers' && !inMemory ? 'headers' : 'plain',
    ...asked,
  }
  return new SessionStoreBuilder<any, any>(settings, undefined, undefined)
}
