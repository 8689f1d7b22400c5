import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { runProduct, type Product } from '#tests/e2e/product.ts'
import { STUDY } from '#tests/e2e/routes.ts'
import { handouts } from '#tests/support/handouts.ts'
import { call, type Engine, until } from './engine.ts'
import { firefox } from './firefox.ts'
import { webkit } from './webkit.ts'

const DAY_MS = 86_400_000

let product: Product
let engine: Engine
beforeAll(async () => {
  product = await runProduct()
})
afterAll(() => product.close())
afterEach(async () => {
  await engine.close()
  await product.wire.set('ok')
})

const open = (path: string) => engine.open(product.url + path)
const seen = () => call(engine, () => document.querySelector<HTMLElement>('#root')?.innerText ?? '')
const says = (words: string | RegExp) => until(`the screen says ${words}`, seen, (text) => text.search(words) >= 0)
const mark = () =>
  call(engine, () => document.querySelector('[aria-label^="同步状态"]')?.getAttribute('aria-label') ?? '')
const markSays = (words: RegExp) => until(`the mark says ${words}`, mark, (text) => words.test(text))

/** What of these can be pressed and begins so. */
const press = async (name: string): Promise<void> => {
  const find = (begins: string): boolean => {
    const all = [...document.querySelectorAll<HTMLElement>('button, a, label, [role="button"]')]
    const found = all.find((each) => {
      const words = (each.getAttribute('aria-label') ?? each.innerText).trim()
      return words.startsWith(begins) && each.checkVisibility() && !each.matches(':disabled')
    })
    found?.click()
    return found !== undefined
  }
  await until(
    `a button ${name}`,
    () => call(engine, find, name),
    (found) => found,
  )
}

/** The option of this letter: the first is A. */
const choose = (nth: number) =>
  until(
    `option ${nth}`,
    () =>
      call(
        engine,
        (at: number) => {
          const option = document.querySelectorAll<HTMLInputElement>('main input[type="radio"]')[at]
          option?.click()
          return option?.checked ?? false
        },
        nth,
      ),
    (checked) => checked,
  )

let mobiles = 13_600_000_000
/** A new student, by picture and message as everybody; then the phone has the login. */
async function logIn(): Promise<string> {
  const mobile = String(++mobiles)
  const ask = async (path: string, form: Record<string, string>): Promise<unknown> => {
    const init = { method: 'POST', body: new URLSearchParams(form) }
    const { data } = (await (await fetch(`${product.url}/pcapi/login/${path}`, init)).json()) as { data: unknown }
    return data
  }
  await ask('getImgVerifyCode', { mobile })
  const [image] = await product.sql<{ code: string }>(
    'select code from image_code where mobile = $1 order by expires_at desc',
    [mobile],
  )
  await ask('sendCode', { mobile, img_code: image?.code ?? '' })
  const message = async () => product.log().split(`短信验证码 ${mobile}: `)[1]?.slice(0, 6) ?? ''
  const code = await until('the message', message, (text) => text.length === 6)
  const { token, uid } = (await ask('mobileCodeLogin', { mobile, code })) as { token: string; uid: string }
  await open('/icon.svg')
  await call(
    engine,
    (user: string) => {
      localStorage.setItem('jk-chosen', '1')
      localStorage.setItem('user', user)
    },
    JSON.stringify({ token, uid, area: { key: '0', name: '全国' }, exam: { key: 'jg', name: '高中士兵考军官院校' } }),
  )
  return uid
}

const isHere = (label: string): boolean => document.querySelector(`[aria-label="${label}"]`) !== null
const mute = (): boolean => {
  const picture = document.querySelector('video')
  if (picture) picture.muted = true
  return picture !== null
}
/** The picture of a document's first page is there, and something is on it. */
const isDrawn = (): boolean => {
  const canvas = document.querySelector<HTMLCanvasElement>('[aria-label="第1页"] canvas')
  const data = canvas?.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height).data
  return data?.some((value, i) => i % 4 === 0 && value < 128) ?? false
}

const workerReady = () =>
  call(engine, async () => {
    const { active } = await navigator.serviceWorker.ready
    if (active?.state === 'activating')
      await new Promise((resolve) => active.addEventListener('statechange', resolve, { once: true }))
  })

const states = async (uid: string) =>
  await product.sql<{ id: string; times: number }>(
    `select id, (body ->> 'times')::int as times from study_record
      where uid = $1 and kind = 'state' and id like 'E2E_%' order by id`,
    [uid],
  )

describe.each([
  ['WebKit', webkit],
  ['Firefox', firefox],
])('%s', (_, launch) => {
  test('a chapter goes on without a network, and every answer arrives once', async () => {
    engine = await launch()
    const uid = await logIn()
    await open(STUDY)
    await says('第1章第1题：')
    await workerReady()
    await product.wire.set('down')
    await choose(0)
    await press('确认答案')
    await says('回答错误')
    await open(STUDY)
    await says('第1章第1题：')
    await says('回答错误')
    await press('下一题')
    await says('第1章第2题：')
    await choose(1)
    await press('确认答案')
    await says('回答正确')
    await open('/user/my_error')
    await says('再对 2 次移出')
    await markSays(/2 条/)
    await product.wire.set('ok')
    await markSays(/已同步/)
    expect(await states(uid)).toEqual([
      { id: 'E2E_q1', times: 1 },
      { id: 'E2E_q2', times: 1 },
    ])
  })

  test('an exam is begun, sat and handed in without a network; its result comes with the network', async () => {
    engine = await launch()
    const uid = await logIn()
    await open('/exam/exam_detail/X_math')
    await says('试卷结构')
    await workerReady()
    await press('报名')
    await press('进入考试')
    await says('开始考试')
    await product.wire.set('down')
    await press('开始考试')
    await says(/第1题/)
    await choose(0)
    await press('交卷')
    await press('确定交卷')
    await says('交卷回执')
    await product.wire.set('ok')
    await says(/得分|分数/)
    const arrived = () =>
      product.sql<{ n: number }>(
        `select count(*)::int as n from study_record where uid = $1 and kind = 'exam' and body ->> 'handedAt' is not null`,
        [uid],
      )
    await until('the attempt', arrived, ([row]) => (row?.n ?? 0) > 0)
  })

  test('a lesson is downloaded and plays without a network; a handout that was opened is read again', async () => {
    engine = await launch()
    const uid = await logIn()
    const { politics } = handouts
    await product.sql(`insert into entitlement (uid, kind, no, until) values ($1, 'course', $2, $3)`, [
      uid,
      politics.course,
      Date.now() + DAY_MS,
    ])
    await open('/course/course_detail/K_math0')
    await workerReady()
    await press('下载 集合与元素')
    await until('it is here', () => call(engine, isHere, '移除已下载的 集合与元素'), Boolean)
    const handout = `/pdf/${encodeURIComponent(politics.address)}`
    await open(handout)
    await says('可离线看')

    await product.wire.set('down')
    await open(handout)
    await until('the first page is drawn', () => call(engine, isDrawn), Boolean)
    await open('/user/my_course')
    await press('集合与元素')
    // A tap from outside is no finger's: browsers let only what is silent play at it.
    await until('the picture is there', () => call(engine, mute), Boolean)
    await press('播放')
    const at = () => call(engine, () => document.querySelector('video')?.currentTime ?? 0)
    await until('it plays', at, (seconds) => seconds > 1)
  })
})
