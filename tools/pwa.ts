import { VitePWA } from 'vite-plugin-pwa'
import { PRODUCT_NAME } from '../src/contract/config.ts'
import { notPrecached } from './lazyAssets.ts'

/** What a long press on the icon offers. */
const SHORTCUTS = [
  ['今日复习', '/question/library_error_study/all/answer/1'],
  ['章节练习', '/question/library'],
  ['错题本', '/user/my_error'],
  ['模拟考试', '/exam/exam_list'],
] as const

/** What stores show of an app, in Chromium before it is installed: made by tools/screenshots.ts. */
const SCREENSHOTS = [
  { file: 'study', label: '做题：答完当场看解析，没有网络也一样', wide: false },
  { file: 'home', label: '首页：今天学什么，一眼看到', wide: false },
  { file: 'exam', label: '模拟考试：限时、答题卡、自动交卷', wide: false },
  { file: 'wide', label: '电脑上：键盘也能做题', wide: true },
].map(({ file, label, wide }) => ({
  src: `/screenshots/${file}.webp`,
  sizes: wide ? '1280x800' : '780x1560',
  type: 'image/webp',
  form_factor: wide ? ('wide' as const) : ('narrow' as const),
  label,
}))

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
      globPatterns: ['**/*.{js,css,html,svg,png}'],
      // These icons are for whoever installs, with a network.
      globIgnores: ['{icon-*,apple-touch-icon}.png', 'screenshots/**', 'assets/pdf-*/*'],
      // Documents, lessons, the shop: the page keeps what it used of them.
      manifestTransforms: [
        (entries) => ({ manifest: entries.filter(({ url }) => !notPrecached.has(url)), warnings: [] }),
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
      related_applications: [{ platform: 'webapp', url: '/manifest.webmanifest', id: '/' }],
      shortcuts: SHORTCUTS.map(([name, url]) => ({ name, url, icons: [{ src: '/icon-192.png', sizes: '192x192' }] })),
      screenshots: SCREENSHOTS,
    },
  })
