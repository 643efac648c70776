import { Drawer } from '../features/drawer/Drawer.js'
import { LiveProvider } from '../live/LiveProvider.js'
import './app.css'

/** The frame of the page: bar, palette, canvas, panel, drawer. */
export function App() {
  return (
    <LiveProvider>
      <div className="app">
        <header style={{ gridArea: 'top' }} />
        <aside className="app-left" />
        <main className="app-canvas" />
        <Drawer />
      </div>
    </LiveProvider>
  )
}
