import { tanstackRouter } from '@tanstack/router-plugin/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import packageJson from './package.json' with { type: 'json' }
import { contract } from './src/contract/index.ts'
import { keptPaths } from './src/contract/kept.ts'
import { groups, splitBehavior } from './tools/chunks.ts'
import { compressed } from './tools/compressed.ts'
import { html } from './tools/html.ts'
import { oldest } from './tools/oldest.ts'
import { fileName, parts } from './tools/lazyAssets.ts'
import { passwords } from './tools/passwords.ts'
import { pdfFiles } from './tools/pdfFiles.ts'
import { pwa } from './tools/pwa.ts'
import { regions } from './tools/regions.ts'

export default defineConfig({
  plugins: [
    tanstackRouter({
      target: 'react',
      autoCodeSplitting: true,
      codeSplittingOptions: { splitBehavior },
      routesDirectory: 'src/routes',
      generatedRouteTree: 'src/routeTree.gen.ts',
    }),
    react(),
    html(),
    regions(),
    passwords(),
    pdfFiles(),
    oldest(),
    parts(),
    pwa(),
    compressed(),
  ],
  // React has had it since 18.
  resolve: { alias: [{ find: /^use-sync-external-store\/shim$/, replacement: 'react' }] },
  define: { __KEPT_PATHS__: JSON.stringify(keptPaths(contract)), __VERSION__: JSON.stringify(packageJson.version) },
  build: {
    target: ['chrome108', 'safari15.4', 'firefox108'],
    sourcemap: false,
    // It runs when the entry does, and there is nothing left to preload by then.
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // Schemas that no code of the browser asks for stay out of it.
      treeshake: { moduleSideEffects: [{ test: /\/src\/contract\//, sideEffects: false }] },
      output: {
        chunkFileNames: ({ name, moduleIds }) => `assets/${fileName(name, moduleIds)}-[hash:7].js`,
        entryFileNames: 'assets/[name]-[hash:7].js',
        assetFileNames: ({ names, originalFileNames }) =>
          `assets/${fileName(names[0] ?? '', originalFileNames)}-[hash:7][extname]`,
        codeSplitting: { groups },
      },
    },
  },
  server: {
    proxy: {
      '/pcapi': 'http://127.0.0.1:8787',
      '/pay': 'http://127.0.0.1:8787',
      '/media': 'http://127.0.0.1:8787',
      '/bucket': { target: 'http://127.0.0.1:8787', changeOrigin: false },
    },
  },
})
