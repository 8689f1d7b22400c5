/** What a page can know of where it runs. */
export interface Surroundings {
  userAgent: string
  /** Of navigator.maxTouchPoints: an iPad calls itself a Mac. */
  touchPoints: number
  /** Runs in a window of its own, from the home screen. */
  standalone: boolean
  /** This browser has installed it, as far as it told. */
  installed: boolean
  /** The browser holds its own prompt ready. */
  prompt: boolean
}

/** How the app comes to the home screen from here. */
export type Way =
  | 'installed'
  | 'prompt'
  /** Inside another app, which cannot install anything: out to a browser first. */
  | 'leave'
  | 'ios-safari'
  /** Another browser on iOS: the same sheet of sharing, elsewhere. */
  | 'ios-other'
  | 'android-chrome'
  /** A browser of a phone's maker or of a Chinese company. */
  | 'android-menu'
  | 'mac-safari'
  | 'desktop-chrome'
  /** No browser that installs. */
  | 'none'

export function wayOf({ userAgent, touchPoints, standalone, installed, prompt }: Surroundings): Way {
  if (standalone || (installed && !prompt)) return 'installed'
  if (hostApp(userAgent) !== null) return 'leave'
  if (prompt) return 'prompt'
  if (isIos(userAgent, touchPoints))
    return /CriOS|FxiOS|EdgiOS|OPT\/|MQQBrowser|UCBrowser|Quark/.test(userAgent) ? 'ios-other' : 'ios-safari'
  if (/Android|HarmonyOS|OpenHarmony/.test(userAgent)) return browserName(userAgent) ? 'android-menu' : 'android-chrome'
  if (/Chrome\//.test(userAgent)) return 'desktop-chrome'
  return /Macintosh.*Version\/(1[7-9]|[2-9]\d)\S* Safari/.test(userAgent) ? 'mac-safari' : 'none'
}

export const isIos = (userAgent: string, touchPoints: number): boolean =>
  /iPhone|iPad|iPod/.test(userAgent) || (/Macintosh/.test(userAgent) && touchPoints > 1)

const nameIn =
  (names: readonly (readonly [RegExp, string])[]) =>
  (userAgent: string): string | null =>
    names.find(([sign]) => sign.test(userAgent))?.[1] ?? null

/** The app whose own window shows the page; null: a browser. QQ's browser is one, QQ is not. */
export const hostApp = nameIn([
  [/wxwork/i, '企业微信'],
  [/MicroMessenger/i, '微信'],
  [/(^|\s)QQ\/\d|QQTheme/, 'QQ'],
  [/DingTalk/i, '钉钉'],
  [/Lark\/|Feishu/, '飞书'],
  [/AlipayClient/, '支付宝'],
  [/Weibo/, '微博'],
  [/aweme|BytedanceWebview|NewsArticle/i, '抖音或今日头条'],
  [/xhsdiscover|discover\/\d/, '小红书'],
  [/baiduboxapp/, '百度'],
  [/; wv\)/, '当前应用'],
])

/** Of those that install by an item of their own menu; null: Chrome, or one that is like it. */
export const browserName = nameIn([
  [/HuaweiBrowser|ArkWeb/, '华为浏览器'],
  [/HonorBrowser/, '荣耀浏览器'],
  [/MiuiBrowser|XiaoMi/, '小米浏览器'],
  [/HeyTapBrowser|OppoBrowser/, 'OPPO 浏览器'],
  [/VivoBrowser/, 'vivo 浏览器'],
  [/MQQBrowser/, 'QQ 浏览器'],
  [/UCBrowser|UBrowser/, 'UC 浏览器'],
  [/Quark/, '夸克'],
  [/baidubrowser/, '百度浏览器'],
  [/QihooBrowser|360/, '360 浏览器'],
  [/SogouMobileBrowser|MetaSr/, '搜狗浏览器'],
  [/Firefox\//, 'Firefox'],
])
