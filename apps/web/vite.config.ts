import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { alias } from '../../vite.config.js'

/** Libraries that change seldom get chunks of their own, so that an update of the app leaves them cached. */
const VENDORS: readonly (readonly [name: string, packages: RegExp])[] = [
  ['react', /node_modules\/(react|react-dom|scheduler|zustand|use-sync-external-store)\//],
  ['flow', /node_modules\/(@xyflow|d3-[a-z]+|classcat)\//],
]

export default defineConfig({
  base: '/',
  plugins: [react()],
  resolve: { alias },
  server: {
    host: '127.0.0.1',
    port: 5173,
    proxy: { '/ws': { target: 'ws://127.0.0.1:7440', ws: true }, '/api': 'http://127.0.0.1:7440' },
  },
  worker: {
    format: 'es',
    rolldownOptions: {
      output: { entryFileNames: 'assets/[name]-[hash].js', chunkFileNames: 'assets/[name]-[hash].js' },
    },
  },
  build: {
    target: 'es2022',
    outDir: 'dist',
    emptyOutDir: true,
    chunkSizeWarningLimit: 1_000,
    rolldownOptions: {
      output: {
        codeSplitting: { groups: VENDORS.map(([name, test]) => ({ name, test })) },
      },
    },
  },
})
