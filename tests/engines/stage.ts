import { afterAll, afterEach, beforeAll } from 'vitest'
import { type Product, runProduct } from '#tests/e2e/product.ts'
import { call, type Engine, until } from './engine.ts'

/** One product for a file of stories and a browser for each, with what students do in it. */
export function setEngine() {
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

  /** Browsers go there: it is the product itself, or a line that leads to it. */
  let base = ''
  const open = (path: string) => engine.open(base + path)
  const seen = () => call(engine, () => document.querySelector<HTMLElement>('#root')?.innerText ?? '')
  const says = (words: string | RegExp) => until(`the screen says ${words}`, seen, (text) => text.search(words) >= 0)
  const mark = () =>
    call(engine, () => document.querySelector('[aria-label^="同步状态"]')?.getAttribute('aria-label') ?? '')
  const markSays = (words: RegExp) => until(`the mark says ${words}`, mark, (text) => words.test(text))

  /** Presses the first of these that is seen, can be pressed and begins so. */
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

  const workerReady = () =>
    call(engine, async () => {
      const { active } = await navigator.serviceWorker.ready
      if (active?.state === 'activating')
        await new Promise((resolve) => active.addEventListener('statechange', resolve, { once: true }))
    })

  return {
    get product() {
      return product
    },
    get engine() {
      return engine
    },
    /** @param url where it goes instead of to the product itself */
    begin: async (launch: () => Promise<Engine>, url = product.url): Promise<string> => {
      engine = await launch()
      base = url
      return logIn()
    },
    open,
    says,
    markSays,
    press,
    choose,
    workerReady,
  }
}
