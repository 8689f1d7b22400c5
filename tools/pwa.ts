import { VitePWA } from 'vite-plugin-pwa'
import { PRODUCT_NAME } from '../src/contract/config.ts'
import { KEPT_WHEN_USED } from './parts.ts'

/** Our own worker from src/sw, an installable manifest, and no registration code: src/app/swBridge.ts registers. */
export const pwa = () =>
  VitePWA({
    strategies: 'injectManifest',
    srcDir: 'src/sw',
    filename: 'sw.ts',
    registerType: 'prompt',
    injectRegister: false,
    // The glob finds them already.
    includeManifestIcons: false,
    injectManifest: {
      globPatterns: ['**/*.{js,css,html,svg,png,webmanifest}'],
      // What weighs much and few need is kept by the page once it was used: documents, lessons.
      // Large icons are for whoever installs, with a network.
      globIgnores: [
        '{icon-512,icon-maskable-512,apple-touch-icon}.png',
        'screenshots/**',
        `assets/{${KEPT_WHEN_USED.join()}}[-.]*`,
        // Only ever used together with the network.
        'assets/{cos,PortraitEditor}[-.]*',
        'assets/pdf*/**',
      ],
    },
    manifest: {
      id: '/',
      name: PRODUCT_NAME,
      short_name: PRODUCT_NAME,
      description: '军考、提干、文职备考：题库随时练，没有网络也能做题，一题不丢。',
      lang: 'zh-CN',
      dir: 'ltr',
      start_url: '/',
      scope: '/',
      display: 'standalone',
      orientation: 'any',
      theme_color: '#4d6330',
      background_color: '#f7f7f2',
      categories: ['education'],
      icons: [
        { src: '/icon-192.png', sizes: '192x192', type: 'image/png' },
        { src: '/icon-512.png', sizes: '512x512', type: 'image/png' },
        { src: '/icon-maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
        { src: '/icon.svg', sizes: 'any', type: 'image/svg+xml' },
      ],
      shortcuts: [{ name: '章节练习', url: '/question/library', icons: [{ src: '/icon-192.png', sizes: '192x192' }] }],
    },
  })
