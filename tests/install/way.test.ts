import { expect, test } from 'vitest'
import { stepsOf } from '#src/install/guide/steps.ts'
import { type Way, wayOf } from '#src/install/way.ts'

const ANDROID = 'Mozilla/5.0 (Linux; Android 13; 22081212C) AppleWebKit/537.36 (KHTML, like Gecko)'
const IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)'
const MAC = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko)'
const WINDOWS = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)'
const nothing = { touchPoints: 5, standalone: false, installed: false, prompt: false }

const BROWSERS: [Way, string, string][] = [
  ['ios-safari', 'Safari on an iPhone', `${IPHONE} Version/17.5 Mobile/15E148 Safari/604.1`],
  ['ios-safari', 'Safari on an iPad, which says it is a Mac', `${MAC} Version/17.5 Safari/605.1.15`],
  ['ios-other', 'Chrome on an iPhone', `${IPHONE} CriOS/126.0.6478.54 Mobile/15E148 Safari/604.1`],
  [
    'ios-other',
    'QQ’s browser on an iPhone',
    `${IPHONE} Version/16.0 MQQBrowser/15.2 Mobile/15E148 Safari/604.1 QBWebViewType/1`,
  ],
  [
    'leave',
    'WeChat on an iPhone',
    `${IPHONE} Mobile/15E148 MicroMessenger/8.0.49(0x18003137) NetType/WIFI Language/zh_CN`,
  ],
  [
    'leave',
    'WeChat on Android',
    `${ANDROID} Version/4.0 Chrome/116.0.0.0 Mobile Safari/537.36 XWEB/1160117 MMWEBSDK/20240404 MicroMessenger/8.0.49.2600 NetType/WIFI`,
  ],
  [
    'leave',
    'QQ on Android, whose page runs in its browser’s core',
    `${ANDROID} Version/4.0 Chrome/109.0.5414.86 MQQBrowser/6.2 TBS/046818 Mobile Safari/537.36 V1_AND_SQ_9.0.35_5586 QQ/9.0.35.16215 NetType/WIFI`,
  ],
  ['leave', 'QQ on an iPhone', `${IPHONE} Mobile/15E148 QQ/9.0.60.620 V1_IPH_SQ_9.0.60_1_APP_A Pixel/1170`],
  ['leave', 'DingTalk', `${ANDROID} Version/4.0 Chrome/100.0.4896.58 Mobile Safari/537.36 AliApp(DingTalk/7.5.20)`],
  [
    'leave',
    'a window of any other app',
    `Mozilla/5.0 (Linux; Android 13; 22081212C; wv) AppleWebKit/537.36 Version/4.0 Chrome/120.0.0.0 Mobile Safari/537.36`,
  ],
  ['android-chrome', 'Chrome on Android', `${ANDROID} Chrome/126.0.0.0 Mobile Safari/537.36`],
  [
    'android-menu',
    'Xiaomi’s',
    `${ANDROID} Version/4.0 Chrome/100.0.4896.127 Mobile Safari/537.36 XiaoMi/MiuiBrowser/17.9.30418`,
  ],
  ['android-menu', 'Huawei’s', `${ANDROID} Chrome/114.0.5735.196 HuaweiBrowser/14.0.6.300 Mobile Safari/537.36`],
  [
    'android-menu',
    'Huawei’s on HarmonyOS',
    'Mozilla/5.0 (Phone; OpenHarmony 5.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/114.0.0.0 Safari/537.36 ArkWeb/4.1.6.1 Mobile HuaweiBrowser/5.0.4.300',
  ],
  [
    'android-menu',
    'OPPO’s',
    `${ANDROID} Version/4.0 Chrome/115.0.5790.168 Mobile Safari/537.36 HeyTapBrowser/40.8.31.1`,
  ],
  ['android-menu', 'vivo’s', `${ANDROID} Version/4.0 Chrome/87.0.4280.141 Mobile Safari/537.36 VivoBrowser/20.0.3.0`],
  [
    'android-menu',
    'QQ’s browser',
    `${ANDROID} Version/4.0 Chrome/109.0.5414.86 MQQBrowser/14.9 Mobile Safari/537.36 COVC/046511`,
  ],
  ['android-menu', 'UC', `${ANDROID} Version/4.0 Chrome/100.0.4896.58 UCBrowser/16.9.6.1346 Mobile Safari/537.36`],
  ['android-menu', 'Quark', `${ANDROID} Version/4.0 Chrome/100.0.4896.58 Quark/7.0.0.562 Mobile Safari/537.36`],
  ['android-menu', 'Firefox on Android', 'Mozilla/5.0 (Android 13; Mobile; rv:127.0) Gecko/127.0 Firefox/127.0'],
  [
    'desktop-chrome',
    'Chrome on Windows',
    `${WINDOWS} AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36`,
  ],
  ['none', 'Firefox on Windows', `${WINDOWS}; rv:127.0) Gecko/20100101 Firefox/127.0`],
]

test.each(BROWSERS)('%s: %s', (way, _, userAgent) => {
  expect(wayOf({ ...nothing, userAgent })).toBe(way)
  expect(stepsOf(way, userAgent).length).toBe(way === 'none' ? 0 : 3)
})

test('Safari on a Mac installs from its version 17 on', () => {
  const mac = (version: string) => ({
    ...nothing,
    touchPoints: 0,
    userAgent: `${MAC} Version/${version} Safari/605.1.15`,
  })
  expect([wayOf(mac('17.4')), wayOf(mac('16.6')), wayOf(mac('26.0'))]).toEqual(['mac-safari', 'none', 'mac-safari'])
})

test('what is installed is not offered, unless the browser offers it again', () => {
  const userAgent = `${ANDROID} Chrome/126.0.0.0 Mobile Safari/537.36`
  expect(wayOf({ ...nothing, userAgent, standalone: true, prompt: true })).toBe('installed')
  expect(wayOf({ ...nothing, userAgent, installed: true })).toBe('installed')
  expect(wayOf({ ...nothing, userAgent, installed: true, prompt: true })).toBe('prompt')
})

test('a window of an app that cannot install has no prompt of its own, whatever it says', () => {
  const userAgent = `${ANDROID} Chrome/126.0.0.0 Mobile Safari/537.36 MicroMessenger/8.0.49`
  expect(wayOf({ ...nothing, userAgent, prompt: true })).toBe('leave')
  expect(stepsOf('leave', userAgent)[0]?.text).toContain('微信里不能安装')
})

test('the menu is called by the browser’s name', () => {
  const userAgent = `${ANDROID} Version/4.0 Chrome/100.0.4896.127 Mobile Safari/537.36 XiaoMi/MiuiBrowser/17.9.30418`
  expect(stepsOf('android-menu', userAgent)[0]?.text).toContain('小米浏览器')
})
