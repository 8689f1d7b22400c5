import { expect, test } from 'vitest'
import { deviceName } from '#server/login/device.ts'

const SAFARI = 'AppleWebKit/605.1.15 (KHTML, like Gecko)'
const CHROME = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0'

test.each([
  ['Android 手机 · Chrome', `Mozilla/5.0 (Linux; Android 10; K) ${CHROME} Mobile Safari/537.36`],
  ['Android 平板 · Chrome', `Mozilla/5.0 (Linux; Android 13; SM-X700) ${CHROME} Safari/537.36`],
  [
    'Android 手机 · 微信',
    `Mozilla/5.0 (Linux; Android 14; V2309A) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/130.0.0.0 Mobile Safari/537.36 XWEB/1300 MMWEBSDK/2024 MicroMessenger/8.0.53 NetType/4G`,
  ],
  [
    'Android 手机 · 华为浏览器',
    `Mozilla/5.0 (Linux; Android 12; ANA-AN00) ${CHROME} HuaweiBrowser/15.0 Mobile Safari/537.36`,
  ],
  [
    '鸿蒙设备 · 华为浏览器',
    `Mozilla/5.0 (Phone; OpenHarmony 5.0) ${CHROME} Safari/537.36 ArkWeb/4.1 Mobile HuaweiBrowser/5.0`,
  ],
  [
    'Android 手机 · 小米浏览器',
    `Mozilla/5.0 (Linux; U; Android 14; zh-cn) ${CHROME} Mobile Safari/537.36 XiaoMi/MiuiBrowser/19.3`,
  ],
  [
    'iPhone · Safari',
    `Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) ${SAFARI} Version/18.1 Mobile/15E148 Safari/604.1`,
  ],
  [
    'iPhone · Chrome',
    `Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) ${SAFARI} CriOS/130.0 Mobile/15E148 Safari/604.1`,
  ],
  [
    'iPhone · 微信',
    `Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) ${SAFARI} Mobile/15E148 MicroMessenger/8.0.50`,
  ],
  // Installed to the home screen it names no browser.
  ['iPhone', `Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) ${SAFARI} Mobile/15E148`],
  ['iPad · Safari', `Mozilla/5.0 (iPad; CPU OS 15_8 like Mac OS X) ${SAFARI} Version/15.6 Mobile/15E148 Safari/604.1`],
  ['Windows 电脑 · Edge', `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${CHROME} Safari/537.36 Edg/130.0.0.0`],
  ['Windows 电脑 · Firefox', 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:132.0) Gecko/20100101 Firefox/132.0'],
  [
    'Windows 电脑 · 微信',
    `Mozilla/5.0 (Windows NT 6.1; WOW64) ${CHROME} Safari/537.36 MicroMessenger/7.0.20 WindowsWechat`,
  ],
  ['Mac 电脑 · Safari', `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${SAFARI} Version/18.0 Safari/605.1.15`],
  ['Linux 电脑 · Chrome', `Mozilla/5.0 (X11; Linux x86_64) ${CHROME} Safari/537.36`],
  ['', 'curl/8.5.0'],
  ['', ''],
  ['', '<script>alert(1)</script>'],
])('%s', (name, agent) => expect(deviceName(agent)).toBe(name))
