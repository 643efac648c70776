import '@fontsource/ibm-plex-sans/latin-400.css'
import '@fontsource/ibm-plex-sans/latin-500.css'
import '@fontsource/ibm-plex-sans/latin-600.css'
import '@fontsource/ibm-plex-mono/latin-400.css'
import '@fontsource/ibm-plex-mono/latin-500.css'
import '@fontsource/ibm-plex-mono/latin-600.css'
import '../ui/tokens.css'
import '../ui/base.css'
import '../ui/controls.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { StoresProvider } from '../store/context.js'
import { App } from './App.js'
import { ServicesProvider } from './services.js'
import { startPage } from './startPage.js'

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no element "root".')

const { stores, services } = startPage(window)

createRoot(root).render(
  <StrictMode>
    <StoresProvider stores={stores}>
      <ServicesProvider services={services}>
        <App />
      </ServicesProvider>
    </StoresProvider>
  </StrictMode>,
)
