import type { Locator } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { workerReady } from './browser.ts'
import { OTHER, setStage, STUDY } from './stage.ts'

const stage = setStage({ own: true })
const {
  open,
  stem,
  choose,
  solve,
  answers,
  answerUnder,
  uidOf,
  newMobile,
  skipChoice,
  logIn,
  student,
  keptStudent,
  savedBatch,
  savedPlace,
  laterOn,
  markSays,
  signIn,
} = stage

test('from the first opening to the first answered question there are three taps', async () => {
  await stage.changePhone({ firstVisit: true })
  await open('/')
  const { page } = stage.phone
  let taps = 0
  const tap = async (what: Locator) => {
    taps += 1
    await what.click()
  }
  const dialog = page.getByRole('dialog', { name: '选择报考方向与地区' })
  await tap(dialog.getByRole('radio', { name: '高中士兵考军官院校' }))
  await tap(dialog.getByRole('button', { name: '开始练习' }))
  await page.waitForURL('**/question/library_study/**')
  await tap(page.getByRole('radio').first())
  await page
    .getByText(/^回答(正确|错误)$/)
    .first()
    .waitFor()
  expect(taps).toBe(3)
})

test('a student picks region and direction, logs in, studies, loses the network, closes the browser, goes on, and finds every answer on the server', async () => {
  await stage.changePhone({ firstVisit: true })
  await open('/')
  const dialog = stage.phone.page.getByRole('dialog', { name: '选择报考方向与地区' })
  await dialog.getByLabel('报考地区').selectOption('山东')
  await dialog.getByRole('radio', { name: '高中士兵考军官院校' }).click()
  await dialog.getByRole('button', { name: '先看看' }).click()
  await expect.poll(() => stage.phone.page.evaluate(() => localStorage.getItem('user'))).toContain('"name":"山东"')
  const mobile = newMobile()
  await logIn(stage.phone.page, mobile)

  await stage.phone.page.getByRole('navigation', { name: '底部导航' }).getByRole('link', { name: '题库' }).click()
  await stage.phone.page.getByRole('button', { name: '政治', exact: true }).click()
  const card = stage.phone.page.getByRole('region', { name: 'E2E 章节题库' })
  await card.getByRole('link', { name: /^第1章/ }).click()
  await stem(stage.phone.page, 1).waitFor()
  await solve(stage.phone.page)
  await workerReady(stage.phone.page)

  await stage.phone.context.setOffline(true)
  await stage.phone.page.getByRole('button', { name: '下一题' }).click()
  await stem(stage.phone.page, 2).waitFor()
  await choose(stage.phone.page, 'A')
  await stage.phone.page.getByText('回答错误').first().waitFor()
  await stage.phone.page.getByRole('button', { name: '下一题' }).click()
  await stem(stage.phone.page, 3).waitFor()
  await expect.poll(() => savedPlace(stage.phone.page)).toBe(2)
  const address = stage.phone.page.url()
  await stage.phone.end()

  await stage.phone.reopen({ offline: true })
  await stage.phone.page.goto(address)
  await stem(stage.phone.page, 3).waitFor()
  await solve(stage.phone.page)
  await markSays(stage.phone.page, /[23] 条待同步/)

  await stage.phone.context.setOffline(false)
  await markSays(stage.phone.page, /已同步/)
  expect(await answers(await uidOf(mobile))).toEqual([
    { question_no: 'E2E_q1', times: 1, wrong: 0 },
    { question_no: 'E2E_q2', times: 1, wrong: 1 },
    { question_no: 'E2E_q3', times: 1, wrong: 0 },
  ])
  // With nothing to send, too, the mark follows the network.
  await stage.phone.context.setOffline(true)
  await markSays(stage.phone.page, /离线$/)
  await stage.phone.context.setOffline(false)
  await markSays(stage.phone.page, /已同步/)
})

describe('nothing they did is lost', () => {
  test('an answer survives the browser being killed right after it', async () => {
    const { uid } = await keptStudent()
    await open(STUDY)
    await stem(stage.phone.page, 1).waitFor()
    await workerReady(stage.phone.page)
    await stage.product.wire.set('down')
    await solve(stage.phone.page)
    await stage.phone.kill()
    await stage.phone.reopen()
    await stage.product.wire.set('ok')
    await open(STUDY)
    await markSays(stage.phone.page, /已同步/)
    expect(await answers(uid)).toEqual([{ question_no: 'E2E_q1', times: 1, wrong: 0 }])
  })

  test('a browser killed in the middle of a material comes back to the same sub-question and its half-made answer', async () => {
    await keptStudent()
    await open('/question/library_study/L_physics_6/20/x')
    const { page } = stage.phone
    await page.getByRole('heading', { level: 1, name: /^第1题，共10题/ }).waitFor()
    await workerReady(page)
    await page.getByRole('button', { name: /^答题卡/ }).click()
    const group = page.getByRole('dialog', { name: '答题卡' }).getByRole('region', { name: '材料题 1–5' })
    await group.getByRole('button', { name: '第3题，未答' }).click()
    await page.getByRole('region', { name: '第3小题，共5小题' }).getByRole('textbox').fill('0.48')
    await expect.poll(async () => JSON.stringify(await savedBatch(page))).toContain('0.48')
    await stage.phone.kill()
    await stage.phone.reopen({ offline: true })
    await open('/question/library_study/L_physics_6/20/x')
    await stage.phone.page.getByRole('heading', { level: 1, name: /^第3题，共10题/ }).waitFor()
    expect(await stage.phone.page.getByRole('textbox').inputValue()).toBe('0.48')
  })

  test('an answer that the server took but could not acknowledge counts once', async () => {
    const { uid } = await student()
    await open(STUDY)
    await stem(stage.phone.page, 1).waitFor()
    await stage.product.wire.set('drop-answer')
    await choose(stage.phone.page, 'B')
    await expect.poll(() => answers(uid)).toHaveLength(1)
    await markSays(stage.phone.page, /1 条待同步/)
    await stage.product.wire.set('ok')
    await markSays(stage.phone.page, /已同步/)
    expect(await answers(uid)).toEqual([{ question_no: 'E2E_q1', times: 1, wrong: 0 }])
  })

  test('a server that dies and comes back gets what was answered meanwhile', async () => {
    const { uid } = await student()
    await open(STUDY)
    await stem(stage.phone.page, 1).waitFor()
    await stage.product.kill()
    await solve(stage.phone.page)
    await stage.product.restart()
    await markSays(stage.phone.page, /已同步/)
    expect(await answers(uid)).toEqual([{ question_no: 'E2E_q1', times: 1, wrong: 0 }])
  })

  test('an expired token holds the answers until the student logs in again, and studying goes on', async () => {
    const { uid, mobile } = await student()
    await open(STUDY)
    await stem(stage.phone.page, 1).waitFor()
    await stage.product.sql('delete from session where uid = $1', [uid])
    await choose(stage.phone.page, 'B')
    await stage.phone.page.getByText('登录已过期，可以继续做题').waitFor()
    await stage.phone.page.getByRole('button', { name: '下一题' }).click()
    await solve(stage.phone.page)
    expect(await answers(uid)).toEqual([])
    await open('/')
    await laterOn(stage.phone.page)
    await logIn(stage.phone.page, mobile)
    await markSays(stage.phone.page, /已同步/)
    expect(await answers(uid)).toHaveLength(2)
  })
})

describe('offline', () => {
  test('pieces of the app that cannot be fetched ahead leave the student at the question', async () => {
    await stage.changePhone({ firstVisit: true })
    await open('/')
    await stage.skipChoice(stage.phone.page)
    const { page } = stage.phone
    await page.route('**/assets/{afterFirst,AnswerSheet,FirstHint,Tools}-*.js', (route) => route.abort())
    const shown = async () => {
      await open(STUDY)
      await stem(page, 1).waitFor()
      await page.evaluate(() => Object.assign(window, { stillHere: true }))
    }
    const failed = page.waitForEvent('requestfailed', (request) => request.url().includes('/afterFirst-'))
    await Promise.all([failed, shown()])
    await solve(page)
    expect(await page.evaluate(() => 'stillHere' in window)).toBe(true)
  })

  test('a chapter that was opened starts from a cold browser on its own address', async () => {
    await stage.changePhone({ firstVisit: true })
    await student()
    await open(STUDY)
    await stem(stage.phone.page, 1).waitFor()
    await workerReady(stage.phone.page)
    await stage.phone.end()
    await stage.phone.reopen({ offline: true })
    await open(STUDY)
    await stem(stage.phone.page, 1).waitFor()
  })

  test('a chapter never opened says so at once, and the rest of the app stays usable', async () => {
    await student()
    await stage.openLibraries()
    await stage.phone.page.getByRole('region', { name: 'E2E 章节题库' }).waitFor()
    await workerReady(stage.phone.page)
    await stage.phone.context.setOffline(true)
    await open(OTHER)
    await stage.phone.page.getByText('此内容尚未下载，联网后可查看').waitFor()
    await stage.phone.page.getByRole('button', { name: '返回' }).click()
    await stage.phone.page.getByRole('heading', { name: '题库', exact: true }).waitFor()
  })

  test('a network that takes connections and never answers does not hold up what is stored', async () => {
    await student()
    await open(STUDY)
    await stem(stage.phone.page, 1).waitFor()
    await workerReady(stage.phone.page)
    await stage.product.wire.set('hang')
    await open(STUDY)
    await stem(stage.phone.page, 1).waitFor()
    await solve(stage.phone.page)
  })

  test('nobody answering is told in the sheet of syncing, with where the answers are', async () => {
    await answerUnder('hang')
    const { page } = stage.phone
    await markSays(page, /^同步状态：服务器暂无响应，1 条待同步$/)
    await page
      .getByRole('button', { name: /^同步状态/ })
      .first()
      .click()
    const sheet = page.getByRole('dialog', { name: '同步' })
    await sheet.getByText(/学习记录都保存在这台设备上，恢复后自动上传/).waitFor()
  })

  test('what is not stored says so on such a network, names what is, and opens by itself when it answers', async () => {
    await student()
    await open(STUDY)
    await stem(stage.phone.page, 1).waitFor()
    await workerReady(stage.phone.page)
    await stage.product.wire.set('hang')
    await open(OTHER)
    await stage.phone.page.getByText('此内容尚未下载，联网后可查看').waitFor()
    await stage.phone.page.getByRole('link', { name: /^题库\s*1 个章节/ }).waitFor()
    await stage.product.wire.set('ok')
    await stage.phone.page.getByText('第2章第1题：').waitFor()
  })
})

describe('whose answers', () => {
  test('another student on the same phone sees and sends nothing of the first, whose answers go up at the next login', async () => {
    const first = await answerUnder('down')
    await open('/user/my_userinfo')
    await stage.phone.page.getByRole('button', { name: '退出登录' }).click()
    await stage.phone.page.getByText('还有 1 条未同步').waitFor()
    await Promise.all([
      stage.phone.page.waitForEvent('load'),
      stage.phone.page.getByRole('button', { name: '保留记录并退出' }).click(),
    ])
    await stage.product.wire.set('ok')
    await laterOn(stage.phone.page)
    const second = newMobile()
    await logIn(stage.phone.page, second)
    await markSays(stage.phone.page, /已同步/)
    expect(await answers(await uidOf(second))).toEqual([])
    expect(await answers(first.uid)).toEqual([])
    await open('/user/my_userinfo')
    await stage.phone.page.getByRole('button', { name: '退出登录' }).click()
    await Promise.all([
      stage.phone.page.waitForEvent('load'),
      stage.phone.page.getByRole('button', { name: '退出', exact: true }).click(),
    ])
    await signIn(stage.phone.page, first.mobile)
    await expect.poll(() => answers(first.uid), { timeout: 20_000 }).toHaveLength(1)
  })

  test('what a visitor answered is merged into the account when the student says so', async () => {
    await open('/')
    await skipChoice(stage.phone.page)
    await open(STUDY)
    await solve(stage.phone.page)
    await open('/')
    const mobile = newMobile()
    await logIn(stage.phone.page, mobile)
    await stage.phone.page.getByRole('button', { name: '合并到账号' }).click()
    await expect
      .poll(async () => answers(await uidOf(mobile)), { timeout: 20_000 })
      .toEqual([{ question_no: 'E2E_q1', times: 1, wrong: 0 }])
  })

  test('a second device shows what the first one did', async () => {
    const { mobile, uid } = await student()
    await open(STUDY)
    await choose(stage.phone.page, 'B')
    await expect.poll(() => answers(uid), { timeout: 20_000 }).toHaveLength(1)
    await stage.changePhone()
    await signIn(stage.phone.page, mobile)
    await stage.openLibraries()
    await stage.phone.page.getByRole('region', { name: 'E2E 章节题库' }).getByText('1/40').waitFor()
  })
})

test('two tabs answer and sync together, and each answer counts once', async () => {
  const { uid } = await student()
  await open(STUDY)
  const other = await stage.phone.context.newPage()
  await other.goto(stage.product.url + OTHER)
  for (let i = 0; i < 3; i++) {
    for (const page of [stage.phone.page, other]) {
      await solve(page)
      await page.getByRole('button', { name: '下一题' }).click()
    }
  }
  await expect.poll(() => answers(uid), { timeout: 20_000 }).toHaveLength(6)
  expect((await answers(uid)).every((row) => row.times === 1)).toBe(true)
})

test('a whole batch by keyboard alone', async () => {
  const { uid } = await student()
  await open('/question/library_study/E2E_c1/5/第1章')
  await stem(stage.phone.page, 1).waitFor()
  for (const n of [1, 2, 3, 4, 5]) {
    await stem(stage.phone.page, n).waitFor()
    await stage.phone.page.keyboard.press(n % 2 ? 'b' : '2')
    await stage.phone.page.getByText('回答正确').first().waitFor()
    await stage.phone.page.keyboard.press('ArrowRight')
  }
  await stage.phone.page.getByRole('heading', { name: '本组完成' }).waitFor()
  await stage.phone.page.getByText('100%').waitFor()
  await expect.poll(() => answers(uid), { timeout: 20_000 }).toHaveLength(5)
})

test('what the manifest shows of the app is there, in the size that it says, and its shortcuts lead somewhere', async () => {
  await open('/')
  const { page } = stage.phone
  const { pictures, shortcuts } = await page.evaluate(async () => {
    const manifest: {
      icons: { src: string; sizes: string }[]
      screenshots: { src: string; sizes: string }[]
      shortcuts: { url: string }[]
    } = await (await fetch('/manifest.webmanifest')).json()
    const sizes = await Promise.all(
      [...manifest.icons, ...manifest.screenshots].map(async ({ src, sizes }) => {
        const picture = new Image()
        picture.src = src
        await picture.decode()
        return { src, sizes, real: sizes === 'any' ? 'any' : `${picture.naturalWidth}x${picture.naturalHeight}` }
      }),
    )
    return { pictures: sizes, shortcuts: manifest.shortcuts.map(({ url }) => url) }
  })
  expect(pictures.filter(({ sizes, real }) => sizes !== real)).toEqual([])
  expect(pictures.filter(({ src }) => src.startsWith('/screenshots/'))).toHaveLength(4)
  expect(shortcuts).toHaveLength(4)
  for (const url of shortcuts) {
    await open(url)
    await page.getByRole('main').getByRole('heading').first().waitFor()
    expect(await page.getByText('页面不存在').count()).toBe(0)
  }
})

test('the app is installable, and the check would notice a missing icon', async () => {
  await stage.changePhone({ whole: true })
  await open('/')
  await workerReady(stage.phone.page)
  const session = await stage.phone.context.newCDPSession(stage.phone.page)
  expect(await session.send('Page.getInstallabilityErrors')).toEqual({ installabilityErrors: [] })
  expect((await session.send('Page.getAppManifest')).errors).toEqual([])
  await stage.phone.page.evaluate(() => {
    const link = document.querySelector('link[rel=manifest]')
    link?.setAttribute(
      'href',
      `data:application/json,${encodeURIComponent('{"name":"x","start_url":"/","display":"standalone","icons":[]}')}`,
    )
  })
  await expect
    .poll(async () => (await session.send('Page.getInstallabilityErrors')).installabilityErrors.length)
    .toBeGreaterThan(0)
})
