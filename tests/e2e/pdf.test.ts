import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { handouts } from '#tests/support/handouts.ts'
import { lockedPdf, makePdf, PASSWORD } from '#tests/support/pdf.ts'
import { workerReady } from './browser.ts'
import { setStage } from './stage.ts'

const stage = setStage()
const { politics } = handouts
const at = (address: string): string => `/pdf/${encodeURIComponent(address)}`
const made = (digit: string): string => `/media/${digit.repeat(32)}.pdf`

const words = (page: Page, text: string) => page.getByText(text, { exact: false }).first()
const pageField = (page: Page) => page.getByRole('textbox', { name: /^页码/ })
/** The picture of a page is there, and something is on it. */
const drawn = (page: Page, n: number) =>
  page.getByRole('region', { name: `第${n}页`, exact: true }).evaluate((section) => {
    const canvas = section.querySelector('canvas')
    const data = canvas?.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height).data
    return data?.some((value, i) => i % 4 === 0 && value < 128) ?? false
  })

/** A file that the operator has put there by hand: the worker leaves documents to the page. */
const serve = (address: string, body: Uint8Array, type = 'application/pdf') =>
  stage.phone.page.route(`**${address}`, (route) => route.fulfill({ body: Buffer.from(body), contentType: type }))

test('a handout is read, searched and left; a killed phone opens it at the same page without a network', async () => {
  const { uid } = await stage.keptStudent()
  await stage.open(at(politics.address))
  const { page } = stage.phone
  await page.getByRole('heading', { name: /^购买《军政冲刺：听着记》.*后可以看这份讲义$/ }).waitFor()
  await stage.product.sql(`insert into entitlement (uid, kind, no, until) values ($1, 'course', $2, $3)`, [
    uid,
    politics.course,
    Date.now() + 86_400_000,
  ])
  await page.getByRole('button', { name: '重试' }).click()
  await page.getByRole('heading', { level: 1, name: '政治高频考点讲义' }).waitFor()
  await words(page, '南昌起义').waitFor({ state: 'attached' })
  await expect.poll(() => drawn(page, 1)).toBe(true)
  await page.getByText('可离线看').waitFor()

  // Found over line ends and pages, counted, gone through, marked.
  await page.keyboard.press('Control+f')
  const field = page.getByRole('textbox', { name: '在文档中搜索' })
  await field.fill('绝对领导')
  const count = page.getByRole('search').getByRole('status')
  await expect.poll(() => count.textContent()).toBe('1 / 2')
  await field.press('Enter')
  await expect.poll(() => count.textContent()).toBe('2 / 2')
  await expect.poll(() => pageField(page).inputValue()).toBe('3')
  expect(await page.locator('mark').allTextContents()).toContain('绝对领导')
  await field.press('Shift+Enter')
  await expect.poll(() => count.textContent()).toBe('1 / 2')
  await field.fill('没有这句话')
  await expect.poll(() => count.textContent()).toBe('没有找到')
  // On the smallest phone, too, the way out stands in the one line.
  await page.setViewportSize({ width: 320, height: 640 })
  const [line, way] = await Promise.all([
    field.boundingBox(),
    page.getByRole('button', { name: '关闭搜索' }).boundingBox(),
  ])
  expect(Math.abs((line?.y ?? 0) - (way?.y ?? 99))).toBeLessThan(8)
  expect(line?.width).toBeGreaterThan(60)
  await page.setViewportSize({ width: 390, height: 800 })
  await field.press('Escape')
  expect(await page.locator('mark').count()).toBe(0)

  // To a page by its number, by its table of contents and by a link of the document; larger and smaller.
  await pageField(page).fill('3')
  await pageField(page).press('Enter')
  await words(page, '社会主义核心价值观').waitFor({ state: 'attached' })
  await page.getByRole('button', { name: '目录', exact: true }).click()
  await page.getByRole('navigation', { name: '目录' }).getByRole('button', { name: '四、哲学常识' }).click()
  await expect.poll(() => pageField(page).inputValue()).toBe('4')
  await page.keyboard.press('Home')
  await expect.poll(() => pageField(page).inputValue()).toBe('1')
  // Of the first page: those of the pages that were left may stand a moment longer.
  const links = page.getByRole('region', { name: '第1页' }).getByRole('button', { name: '跳到文档中的另一处' })
  await links.nth(1).click()
  await expect.poll(() => pageField(page).inputValue()).toBe('2')
  const width = () => page.getByRole('region', { name: '第2页' }).evaluate((section) => section.clientWidth)
  const before = await width()
  await page.getByRole('button', { name: '放大' }).click()
  await expect.poll(width).toBeGreaterThan(before * 1.2)
  await page.keyboard.press('0')
  await expect.poll(width).toBe(before)
  // Two taps on what is too small bring it near, around the finger; the button leads back, and a mouse's two clicks do both.
  const percent = page.getByRole('button', { name: /^适合宽度/ })
  const fit = await percent.textContent()
  const box = await page.getByRole('region', { name: '第2页' }).boundingBox()
  // In the margin of the paper, of which a little is in the window.
  const blank = { x: Math.max(0, box?.x ?? 0) + 2, y: 400 }
  await page.touchscreen.tap(300, 400)
  await page.touchscreen.tap(302, 402)
  await expect.poll(() => percent.textContent()).toBe('124%')
  const window = page.getByRole('region', { name: '文档内容' })
  await expect.poll(() => window.evaluate(({ scrollLeft }) => scrollLeft)).toBeGreaterThan(100)
  await percent.click()
  await expect.poll(() => percent.textContent()).toBe(fit)
  await page.mouse.dblclick(blank.x, blank.y)
  await expect.poll(() => percent.textContent()).toBe('124%')
  await percent.click()
  await expect.poll(width).toBe(before)
  // A word that stands still.
  const wordAt = () =>
    window.evaluate((pages) => {
      const spans = [...pages.querySelectorAll('span')].filter(({ textContent }) => textContent.trim().length > 3)
      const box = spans.map((span) => span.getBoundingClientRect()).find(({ top }) => top > 250 && top < 600)
      return box ? { x: box.left + 4, y: box.top + 4 } : null
    })
  let word = await wordAt()
  await expect
    .poll(async () => {
      const before = word
      word = await wordAt()
      return word !== null && before?.x === word.x && before.y === word.y
    })
    .toBe(true)
  await page.mouse.dblclick(word?.x ?? 0, word?.y ?? 0)
  expect(await page.evaluate(() => String(document.getSelection()))).not.toBe('')
  expect(await percent.textContent()).toBe(fit)
  await page.keyboard.press('+')
  await page.keyboard.press('+')
  await window.evaluate((pages) => pages.scrollTo({ left: 60 }))
  await pageField(page).fill('4')
  await pageField(page).press('Enter')
  await expect.poll(() => pageField(page).inputValue()).toBe('4')

  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: '保存文档' }).click(),
  ])
  expect(saved.suggestedFilename()).toBe('政治高频考点讲义.pdf')

  // Back to it at the same place, as large as it was.
  const large = await percent.textContent()
  await page.getByRole('button', { name: '返回' }).click()
  await page.getByRole('heading', { level: 1, name: '政治高频考点讲义' }).waitFor({ state: 'detached' })
  await stage.open(at(politics.address))
  await expect.poll(() => pageField(page).inputValue()).toBe('4')
  expect(await percent.textContent()).toBe(large)
  await expect.poll(() => window.evaluate(({ scrollLeft }) => scrollLeft)).toBe(60)

  await workerReady(page)
  await page.getByText('可离线看').waitFor()
  await stage.phone.kill()
  await stage.product.wire.set('down')
  await stage.phone.reopen({ offline: true })
  await stage.open(at(politics.address))
  const cold = stage.phone.page
  await words(cold, '宪法与军事法律').waitFor({ state: 'attached' })
  await expect.poll(() => drawn(cold, 4)).toBe(true)
  expect(await pageField(cold).inputValue()).toBe('4')
})

test('a document opened on the very first visit is there without a network, with the character maps of a font that it lacks', async () => {
  await stage.changePhone({ firstVisit: true })
  const address = made('c')
  const text = '士兵考学冲刺讲义'
  await stage.open('/')
  await stage.skipChoice(stage.phone.page)
  await serve(address, makePdf({ pages: ['封面', text], chinese: true }))
  const asked: string[] = []
  stage.phone.page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  await stage.open(at(address))
  const { page } = stage.phone
  await words(page, text).waitFor({ state: 'attached' })
  await expect.poll(() => drawn(page, 2)).toBe(true)
  expect(asked.some((path) => path.endsWith('/GBK-EUC-H.bcmap'))).toBe(true)
  await workerReady(page)
  await page.getByText('可离线看').waitFor()
  const parts = () =>
    page.evaluate(async () => (await (await caches.open('part-v1')).keys()).map(({ url }) => new URL(url).pathname))
  await expect.poll(async () => (await parts()).some((path) => path.endsWith('/GBK-EUC-H.bcmap'))).toBe(true)
  expect((await parts()).some((path) => path.includes('pdf.worker'))).toBe(true)

  // Closed, not killed: a browser writes down the name of a new cache some seconds later.
  await stage.phone.end()
  await stage.phone.reopen({ offline: true })
  await stage.open(at(address))
  await words(stage.phone.page, text).waitFor({ state: 'attached' })
  await expect.poll(() => drawn(stage.phone.page, 2)).toBe(true)
})

test('a stranger’s file is refused before anything is asked for, and so is what is no document', async () => {
  await stage.beVisitor()
  await stage.open('/')
  const { page } = stage.phone
  const asked: string[] = []
  stage.phone.context.on('request', (request) => asked.push(request.url()))
  const refusal = page.getByRole('heading', { name: '这个地址不属于本站，没有打开' })
  for (const foreign of [
    'https://evil.test/a.pdf',
    '//evil.test/a.pdf',
    'javascript:alert(1)',
    `https://127.0.0.1@evil.test${politics.address}`,
    '/\\evil.test/a.pdf',
  ]) {
    await stage.open(at(foreign))
    await refusal.waitFor()
  }
  for (const other of ['/pcapi/user/getUserInfo', '/index.html', '/media/../sw.js', `${politics.address}?x=1`]) {
    await stage.open(at(other))
    await page.getByRole('heading', { name: '这个地址不是文档' }).waitFor()
  }
  expect(
    asked.filter((url) => url.includes('evil.test') && new URL(url).host !== new URL(stage.product.url).host),
  ).toEqual([])
  expect(asked.filter((url) => new URL(url).pathname === '/pcapi/user/getUserInfo')).toEqual([])
  // Neither the reader nor a document.
  expect(asked.filter((url) => /\/assets\/(?:reader-|pdf\.worker|pdf-[^/]*\/)|\/media\/.*\.pdf/.test(url))).toEqual([])
})

test('what cannot be read says why: a damaged file, another thing in its place, a file sent elsewhere, none, a password', async () => {
  await stage.beVisitor()
  await stage.open('/')
  const { page } = stage.phone
  const told = (name: string) => page.getByRole('heading', { name }).waitFor()
  const whole = makePdf({ pages: ['Hello'] })

  await serve(made('1'), new TextEncoder().encode('%PDF-1.7\n%%EOF this is no document'))
  await stage.open(at(made('1')))
  await told('文档已损坏，打不开')

  await serve(made('2'), new TextEncoder().encode('<title>免费上网</title>'), 'text/html')
  await stage.open(at(made('2')))
  await told('收到的不是 PDF 文档')

  await serve(made('3'), new TextEncoder().encode('no head'))
  await stage.open(at(made('3')))
  await told('收到的不是 PDF 文档')

  await stage.open(at(made('4')))
  await told('文档不存在')

  await page.route(`**${made('5')}`, (route) =>
    route.fulfill({ status: 302, headers: { location: 'https://evil.test/a.pdf' } }),
  )
  await stage.open(at(made('5')))
  await told('文档被转到了别的地址，没有打开')

  await serve(made('6'), lockedPdf())
  await stage.open(at(made('6')))
  const password = page.getByLabel('文档密码')
  await password.fill('wrong')
  await password.press('Enter')
  await page.getByText('密码不对，请重新输入').waitFor()
  await page.getByRole('button', { name: '关闭' }).click()
  await page.getByRole('button', { name: '输入密码' }).click()
  await password.fill(PASSWORD)
  await page.getByRole('dialog').getByRole('button', { name: '打开' }).click()
  await words(page, 'SECRET PLAN').waitFor({ state: 'attached' })

  // None of what failed is kept; a link out of a document asks first.
  await serve(made('7'), makePdf({ pages: ['Go'], link: 'https://outside.test/x' }))
  await stage.open(at(made('7')))
  await page.getByRole('button', { name: '打开外部网址 https://outside.test/x' }).click()
  await page.getByRole('dialog', { name: '打开外部网站' }).getByRole('button', { name: '取消' }).click()
  await serve(made('8'), makePdf({ pages: ['No'], link: 'javascript:alert(1)' }))
  await stage.open(at(made('8')))
  await words(page, 'No').waitFor({ state: 'attached' })
  expect(await page.getByRole('button', { name: /^打开外部网址/ }).count()).toBe(0)
  const kept = await page.evaluate(async () =>
    (await (await caches.open('doc-v1')).keys()).map(({ url }) => new URL(url).pathname),
  )
  expect(kept.sort()).toEqual([made('6'), made('7'), made('8')])
  expect(whole.length).toBeGreaterThan(0)
})

test('a phone opens a document with its text as wide as the window, at the place where it was left on any screen', async () => {
  const LINE = 'Where every line is as long as this one'
  await stage.beVisitor()
  await stage.open('/')
  const { page } = stage.phone
  await page.setViewportSize({ width: 360, height: 740 })
  await serve(made('a'), makePdf({ pages: ['Cover', ...Array.from({ length: 6 }, (_, i) => `${LINE} ${i + 2}`)] }))
  await stage.open(at(made('a')))
  const pages = page.getByRole('region', { name: '文档内容' })
  const percent = page.getByRole('button', { name: /^适合宽度/ })
  const toPage = async (n: number) => {
    await pageField(page).fill(String(n))
    await pageField(page).press('Enter')
    await expect.poll(() => pageField(page).inputValue()).toBe(String(n))
  }
  const textOf = (n: number) =>
    words(page, `${LINE} ${n}`).evaluate((span) => {
      const { left, right } = span.getBoundingClientRect()
      return { left: Math.round(left), right: Math.round(right) }
    })
  const isFilled = async (n: number) => {
    await expect.poll(async () => (await textOf(n)).left).toBeLessThan(10)
    const { left, right } = await textOf(n)
    expect(left).toBeGreaterThanOrEqual(0)
    expect(right).toBeGreaterThan(345)
    expect(right).toBeLessThanOrEqual(360)
  }
  await isFilled(2)
  const fit = await percent.textContent()
  const home = await pages.evaluate(({ scrollLeft }) => scrollLeft)

  // Larger, smaller and sideways, and back: by the button, by its key.
  await page.getByRole('button', { name: '放大' }).click()
  await expect.poll(() => percent.textContent()).not.toBe(fit)
  await percent.click()
  await expect.poll(() => percent.textContent()).toBe(fit)
  await isFilled(2)
  for (const _ of ['once', 'twice']) await page.getByRole('button', { name: '缩小' }).click()
  await expect.poll(() => pages.evaluate(({ scrollWidth }) => scrollWidth)).toBe(360)
  await percent.click()
  await isFilled(2)
  await pages.evaluate((box) => box.scrollTo({ left: 0 }))
  await expect.poll(async () => (await textOf(2)).left).toBeGreaterThan(20)
  await page.keyboard.press('0')
  await isFilled(2)
  expect(await pages.evaluate(({ scrollLeft }) => scrollLeft)).toBe(home)

  // Turned and turned back.
  const widthOf = (n: number) =>
    page.getByRole('region', { name: `第${n}页` }).evaluate(({ clientWidth }) => clientWidth)
  await toPage(4)
  await page.setViewportSize({ width: 740, height: 360 })
  await expect.poll(() => widthOf(4)).toBe(720)
  await page.setViewportSize({ width: 360, height: 740 })
  await isFilled(4)

  const leaveAndReopen = async (width: number) => {
    await page.getByRole('button', { name: '返回' }).click()
    await pages.waitFor({ state: 'detached' })
    await page.setViewportSize({ width, height: 900 })
    await stage.open(at(made('a')))
    await pages.waitFor()
  }
  await toPage(5)
  await leaveAndReopen(768)
  await expect.poll(() => pageField(page).inputValue()).toBe('5')
  expect(await widthOf(5)).toBe(748)
  // As it is kept from a time when the whole page was shown.
  await toPage(6)
  await leaveAndReopen(360)
  await expect.poll(() => pageField(page).inputValue()).toBe('6')
  await isFilled(6)

  // A scan has no words to go by.
  await serve(made('b'), makePdf({ pages: ['1', '2'] }))
  await stage.open(at(made('b')))
  await expect.poll(() => widthOf(1)).toBe(340)
})

test('three thousand pages scroll like three, and fingers zoom around what is between them', async () => {
  await stage.beVisitor()
  const { page, context } = stage.phone
  await serve(made('9'), makePdf({ pages: Array.from({ length: 3000 }, (_, i) => `Page ${i + 1}`) }))
  await stage.open(at(made('9')))
  await words(page, 'Page 1').waitFor({ state: 'attached' })
  await pageField(page).fill('2999')
  await pageField(page).press('Enter')
  await words(page, 'Page 2999').waitFor({ state: 'attached' })
  await page.keyboard.press('ArrowRight')
  await expect.poll(() => pageField(page).inputValue()).toBe('3000')
  expect(await page.locator('section[aria-label^="第"]').count()).toBeLessThanOrEqual(6)
  expect(await page.locator('canvas').count()).toBeLessThanOrEqual(6)

  const width = () => page.getByRole('region', { name: '第3000页' }).evaluate((section) => section.clientWidth)
  const before = await width()
  const session = await context.newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', apart: number) =>
    session.send('Input.dispatchTouchEvent', {
      type,
      touchPoints:
        apart === 0
          ? []
          : [
              { x: 195 - apart, y: 400 },
              { x: 195 + apart, y: 400 },
            ],
    })
  await touch('touchStart', 40)
  for (let apart = 45; apart <= 90; apart += 5) await touch('touchMove', apart)
  await touch('touchEnd', 0)
  await expect.poll(width).toBeGreaterThan(before * 1.7)
  const fingers = await width()
  await page.mouse.move(195, 400)
  await page.keyboard.down('Control')
  await page.mouse.wheel(0, 100)
  await page.keyboard.up('Control')
  await expect.poll(width).toBeLessThan(fingers)
  expect(await page.evaluate(() => window.visualViewport?.scale)).toBe(1)
})
