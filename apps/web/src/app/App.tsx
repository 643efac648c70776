import { lazy, Suspense } from 'react'
import { Canvas } from '../canvas/Canvas.js'
import { CommandPalette } from '../features/commands/CommandPalette.js'
import { KeyList } from '../features/commands/KeyList.js'
import { SearchField } from '../features/commands/SearchField.js'
import { useKeys } from '../features/commands/useKeys.js'
import { Drawer } from '../features/drawer/Drawer.js'
import { ImportDialog } from '../features/import/ImportDialog.js'
import { Palette } from '../features/palette/Palette.js'
import { Rail } from '../features/palette/Rail.js'
import { LiveCards } from '../features/run-panel/index.js'
import { OpenDialog } from '../features/start/OpenDialog.js'
import { ProjectDialogs } from '../features/start/ProjectDialogs.js'
import { Start } from '../features/start/Start.js'
import { TopBar } from '../features/top-bar/TopBar.js'
import { LiveProvider } from '../live/LiveProvider.js'
import { useProject, useView } from '../store/context.js'
import { ConflictDialog } from './ConflictDialog.js'
import { ConnectionBanner } from './ConnectionBanner.js'
import { Notice } from './Notice.js'
import { RightPanel } from './RightPanel.js'
import './app.css'

const ExportDialog = lazy(async () => ({ default: (await import('../features/export/ExportDialog.js')).ExportDialog }))

/** The frame of the page: bar, palette, canvas, panel, drawer. One canvas for every mode. */
export function App() {
  return (
    <LiveProvider>
      <Page />
    </LiveProvider>
  )
}

function Page() {
  const open = useProject((state) => state.projectId !== null)
  const live = useView((state) => state.mode === 'live')
  const exporting = useView((state) => state.overlay === 'export')
  useKeys()
  return (
    <div className={live && open ? 'app live' : 'app'}>
      <TopBar />
      {live && open ? <Rail /> : <Palette />}
      <main className="app-canvas">
        {open ? (
          <>
            <Canvas />
            <SearchField />
            {live && <LiveCards />}
          </>
        ) : (
          <Start />
        )}
        <ConnectionBanner />
        <Notice />
      </main>
      {open && <RightPanel />}
      <Drawer />
      <CommandPalette />
      <KeyList />
      <OpenDialog />
      <ProjectDialogs />
      <ImportDialog />
      <ConflictDialog />
      {exporting && (
        <Suspense fallback={null}>
          <ExportDialog />
        </Suspense>
      )}
    </div>
  )
}
