import { Suspense } from 'react'
import { useFindings, useProject, useRun, useView } from '../../store/context.js'
import { Glyph } from '../../ui/Glyph.js'
import { DRAWER_TABS, type DrawerTab } from './tabs.js'
import { useDrawerHeight } from './useDrawerHeight.js'
import './drawer.css'

/** Below the canvas: problems, the run's boards and the code, one tab at a time. */
export function Drawer() {
  const tabId = useView((state) => state.tab)
  const hasProject = useProject((state) => state.projectId !== null)
  const wanted = useView((state) => state.drawerOpen)
  const open = wanted && hasProject
  const set = useView((state) => state.set)
  const openTab = useView((state) => state.openTab)
  const { height, grip } = useDrawerHeight()
  const tab = DRAWER_TABS.find((one) => one.id === tabId)
  return (
    <section className="drawer" aria-label="Drawer">
      {open && <div className="drawer-grip" {...grip} />}
      <div className="drawer-bar">
        <div role="tablist" aria-label="Drawer" className="drawer-tabs">
          {DRAWER_TABS.map((one) => (
            <Tab
              key={one.id}
              tab={one}
              selected={open && one.id === tabId}
              disabled={!hasProject}
              onOpen={() => openTab(one.id)}
            />
          ))}
        </div>
        <span className="spring" />
        {open && tab?.Aside && <tab.Aside />}
        {!hasProject && <span className="drawer-note">Nothing to report yet</span>}
        <button
          type="button"
          className="icon-button"
          aria-label={open ? 'Close the drawer' : 'Open the drawer'}
          aria-expanded={open}
          disabled={!hasProject}
          onClick={() => set({ drawerOpen: !open })}
        >
          <Glyph name={open ? 'down' : 'up'} />
        </button>
      </div>
      {open && tab && (
        <div className="drawer-body" role="tabpanel" aria-label={tab.label} style={{ height }}>
          <Suspense fallback={<p className="drawer-wait">Opening…</p>}>
            <tab.Body />
          </Suspense>
        </div>
      )}
    </section>
  )
}

function Tab(props: {
  readonly tab: DrawerTab
  readonly selected: boolean
  readonly disabled: boolean
  readonly onOpen: () => void
}) {
  const { tab, selected } = props
  const findings = useFindings((state) => state)
  const run = useRun((state) => (tab.count ? state : null))
  const count = run && tab.count?.(findings, run)
  return (
    <button
      type="button"
      role="tab"
      aria-selected={selected}
      aria-label={tab.label}
      disabled={props.disabled}
      onClick={props.onOpen}
    >
      {tab.label}
      {count !== undefined && count !== null && count > 0 && (
        <span className="drawer-count">{count.toLocaleString('en')}</span>
      )}
    </button>
  )
}
