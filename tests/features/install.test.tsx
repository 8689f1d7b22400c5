import { act, render, screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { InstallSheet } from '#src/install/guide/InstallSheet.tsx'
import { offline } from '#src/offline/index.ts'
import { session } from '#src/session/session.ts'
import { DIRECTION } from '#tests/support/app.tsx'
import { bankJson, importBank } from '#tests/support/bank.ts'
import { eventually } from '#tests/support/eventually.ts'
import { setScreens } from '#tests/support/screens.ts'

const CHROME = 'Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 Chrome/130.0.0.0 Mobile Safari/537.36'
const SAFARI =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 Version/17.5 Mobile/15E148 Safari/604.1'
const WECHAT = `${CHROME} MicroMessenger/8.0.49`
const DAY_MS = 24 * 3600_000

const stage = setScreens(async (server) => {
  server.clock.now = Date.now()
  await importBank(server.db, server.mediaDir, bankJson({ prefix: 'I', chapters: 9, perChapter: 1 }))
})
beforeEach(() => {
  session.setChoice({ key: '37', name: '山东' }, DIRECTION)
})
afterEach(() => {
  window.jkInstall = undefined
})

let chapters = 0
const hold = (userAgent: string) => vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue(userAgent)
/** Chromium's event, as it comes. */
function browserOffers(outcome: 'accepted' | 'dismissed') {
  const event = Object.assign(new Event('beforeinstallprompt', { cancelable: true }), {
    prompt: vi.fn<() => Promise<{ outcome: typeof outcome }>>(async () => ({ outcome })),
  })
  act(() => void window.dispatchEvent(event))
  return event
}
const offer = () => screen.queryByRole('complementary', { name: '添加到桌面' })
async function finishBatch(): Promise<void> {
  stage.close()
  // What else is offered after a batch is another story.
  localStorage.setItem('jk-all-offered', '1')
  await stage.open(`/question/library_study/I_c${++chapters}/20/x`)
  await userEvent.click(await screen.findByRole('radio', { name: /^A．/ }))
  await userEvent.click(await named('查看结果'))
  await screen.findByRole('heading', { name: '本组完成' })
}
const named = (name: string) => screen.findByRole('button', { name })

test('after a finished batch the browser’s own prompt is one tap away, and nothing pushes itself forward', async () => {
  hold(CHROME)
  await finishBatch()
  await named('怎么添加')
  const event = browserOffers('accepted')
  expect(event.defaultPrevented).toBe(true)
  expect(event.prompt).not.toHaveBeenCalled()
  await userEvent.click(await named('安装'))
  expect(event.prompt).toHaveBeenCalledOnce()
  await eventually(() => expect(offer()).toBeNull())
  await finishBatch()
  await eventually(() => expect(screen.getByRole('button', { name: '再来一组' })).toBeTruthy())
  expect(offer()).toBeNull()
})

test.each(['waved away', 'dismissed in the browser’s prompt'])('%s, it is not said again for 14 days', async (how) => {
  hold(CHROME)
  await finishBatch()
  await named('怎么添加')
  if (how === 'waved away') await userEvent.click(await named('以后再说'))
  else {
    browserOffers('dismissed')
    await userEvent.click(await named('安装'))
  }
  await eventually(() => expect(offer()).toBeNull())
  const { install } = await import('#src/install/prompt.ts')
  expect(install.isDue(Date.now() + 13 * DAY_MS)).toBe(false)
  expect(install.isDue(Date.now() + 15 * DAY_MS)).toBe(true)
  await finishBatch()
  expect(offer()).toBeNull()
})

test('an iPhone gets three pictured steps, and a visitor is told first what does not come along by itself', async () => {
  hold(SAFARI)
  await finishBatch()
  await userEvent.click(await named('怎么添加'))
  const sheet = within(await screen.findByRole('dialog', { name: '添加到桌面' }))
  expect(sheet.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    expect.stringContaining('共享'),
    expect.stringContaining('添加到主屏幕'),
    expect.stringContaining('添加'),
  ])
  expect(sheet.getByText(/\d 条学习记录只在这里/)).toBeTruthy()
  expect(sheet.getByRole('button', { name: '登录' })).toBeTruthy()
})

test('inside WeChat the way leads out, with the address to take along', async () => {
  hold(WECHAT)
  await finishBatch()
  await userEvent.click(await named('怎么添加'))
  const sheet = within(await screen.findByRole('dialog', { name: '添加到桌面' }))
  expect(sheet.getByText(/微信里不能安装/)).toBeTruthy()
  await userEvent.click(sheet.getByRole('button', { name: '复制链接，到浏览器里打开' }))
  // This browser has no clipboard, as on a page without https: it is shown to be copied by hand.
  expect(await screen.findByText(`请长按复制链接：${window.location.origin}`)).toBeTruthy()
})

test.each([
  ['waiting' as const, 3, '还有 3 条学习记录没有同步', 1],
  ['synced' as const, 0, '学习记录都已同步', 0],
])(
  'with an account, and records %s, an iPhone’s app is told of what comes along',
  async (state, waiting, said, syncs) => {
    hold(SAFARI)
    const status = { state, waiting, dead: 0, fetched: null, lastError: '', lastSyncedAt: null }
    vi.spyOn(offline, 'status').mockReturnValue(status)
    const sync = vi.spyOn(offline, 'syncNow').mockResolvedValue()
    const { unmount } = render(<InstallSheet onClose={() => {}} />)
    expect(screen.getByText(new RegExp(said))).toBeTruthy()
    for (const button of screen.queryAllByRole('button', { name: '立即同步' })) await userEvent.click(button)
    expect(sync).toHaveBeenCalledTimes(syncs)
    unmount()
  },
)

test('every page leads to it from its foot', async () => {
  hold(CHROME)
  await stage.open('/question/library')
  await userEvent.click(await named('添加到桌面'))
  expect(await screen.findByRole('dialog', { name: '添加到桌面' })).toBeTruthy()
})
