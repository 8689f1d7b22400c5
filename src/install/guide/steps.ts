import { browserName, hostApp, type Way } from '../way.ts'

/** What a step's picture shows. */
export type Scene =
  /** A sign in one of the browser's bars. */
  | { bar: 'top' | 'bottom'; at: 'middle' | 'right'; sign: 'share' | 'more' | 'menu' | 'install' }
  /** An entry of what opened. */
  | { entry: string }
  /** The icon among others. */
  | { icon: true }
export interface Step {
  text: string
  scene: Scene
}

const ICON: Step = { text: '以后从桌面图标打开，和应用一样全屏，没有网络也能做题', scene: { icon: true } }
const shared = (first: Step): Step[] => [
  first,
  { text: '往下翻，点“添加到主屏幕”；有“作为网页 App 打开”时保持打开', scene: { entry: '添加到主屏幕' } },
  { ...ICON, text: '点右上角“添加”。以后从桌面图标打开，没有网络也能做题' },
]

const STEPS: Partial<Record<Way, (userAgent: string) => Step[]>> = {
  leave: (userAgent) => [
    {
      text: `${hostApp(userAgent) ?? '应用'}里不能安装。先点右上角的“⋯”或“⋮”`,
      scene: { bar: 'top', at: 'right', sign: 'more' },
    },
    {
      text: '选“在浏览器打开”（有的写作“在默认浏览器打开”“用 Safari 打开”）',
      scene: { entry: '在浏览器打开' },
    },
    { text: '到了浏览器里，页面底部也有“添加到桌面”，照着做就好', scene: { icon: true } },
  ],
  'ios-safari': () =>
    shared({
      text: '点底部的共享按钮；没有看到就先点“⋯”，再点“共享”（iPad 在右上角）',
      scene: { bar: 'bottom', at: 'middle', sign: 'share' },
    }),
  'ios-other': () =>
    shared({ text: '点共享按钮，一般在右上角的地址栏旁', scene: { bar: 'top', at: 'right', sign: 'share' } }),
  'android-chrome': () => [
    { text: '点右上角的“⋮”', scene: { bar: 'top', at: 'right', sign: 'more' } },
    { text: '选“添加到主屏幕”或“安装应用”，再点“安装”', scene: { entry: '添加到主屏幕' } },
    ICON,
  ],
  'android-menu': (userAgent) => [
    {
      text: `点${browserName(userAgent) ?? '浏览器'}的菜单，一般在屏幕底部`,
      scene: { bar: 'bottom', at: 'right', sign: 'menu' },
    },
    { text: '选“添加到桌面”“发送到桌面”或“安装”，有时在“工具”“更多”里面', scene: { entry: '添加到桌面' } },
    {
      text: '桌面上没有出现图标时：到系统设置里允许这个浏览器“创建桌面快捷方式”，再添加一次',
      scene: { icon: true },
    },
  ],
  'mac-safari': () => [
    { text: '点菜单栏的“文件”，或工具栏的共享按钮', scene: { bar: 'top', at: 'right', sign: 'share' } },
    { text: '选“添加到程序坞”，再点“添加”', scene: { entry: '添加到程序坞' } },
    { ...ICON, text: '以后从程序坞打开，没有网络也能做题' },
  ],
  'desktop-chrome': () => [
    { text: '点地址栏右端的安装图标；没有时点“⋮”或“⋯”', scene: { bar: 'top', at: 'right', sign: 'install' } },
    { text: '选“安装”（在“投放、保存和分享”或“应用”里）', scene: { entry: '安装' } },
    ICON,
  ],
}

/** How it is done by hand, step by step; none where there is nothing to do. */
export const stepsOf = (way: Way, userAgent: string): Step[] => STEPS[way]?.(userAgent) ?? []
