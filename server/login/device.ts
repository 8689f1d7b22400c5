/** In order: the first that is found names it. Words of our own alone, so that nobody's header is shown to anybody. */
const MACHINES: readonly [RegExp, string][] = [
  [/iPad/, 'iPad'],
  [/iPhone|iPod/, 'iPhone'],
  [/OpenHarmony|HarmonyOS.*ArkWeb/, '鸿蒙设备'],
  [/Android.*Mobile/, 'Android 手机'],
  [/Android/, 'Android 平板'],
  [/Windows/, 'Windows 电脑'],
  [/CrOS/, 'Chromebook'],
  [/Macintosh/, 'Mac 电脑'],
  [/Linux|X11/, 'Linux 电脑'],
]
/** Browsers that call themselves by several names stand before those whose names they borrow. */
const BROWSERS: readonly [RegExp, string][] = [
  [/MicroMessenger/, '微信'],
  [/MQQBrowser/, 'QQ 浏览器'],
  [/\bQQ\//, 'QQ'],
  [/UCBrowser/, 'UC 浏览器'],
  [/Quark/, '夸克'],
  [/HuaweiBrowser/, '华为浏览器'],
  [/MiuiBrowser/, '小米浏览器'],
  [/HeyTapBrowser/, 'OPPO 浏览器'],
  [/VivoBrowser/, 'vivo 浏览器'],
  [/SamsungBrowser/, '三星浏览器'],
  [/baidubrowser|baiduboxapp/, '百度'],
  [/Edg(e|A|iOS)?\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/Firefox\/|FxiOS/, 'Firefox'],
  [/Chrome\/|CriOS/, 'Chrome'],
  [/Version\/.*Safari\//, 'Safari'],
]
const named = (agent: string, names: readonly [RegExp, string][]): string | undefined =>
  names.find(([sign]) => sign.test(agent))?.[1]

/** What a student calls the device of this User-Agent: `Android 手机 · Chrome`. '' for one that nobody can name. */
export const deviceName = (agent: string): string =>
  [named(agent, MACHINES), named(agent, BROWSERS)].filter(Boolean).join(' · ')
