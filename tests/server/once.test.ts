import { afterAll, expect, test, vi } from 'vitest'
import { alipay } from '#server/outside/alipay.ts'
import { once } from '#server/outside/once.ts'
import { wechatPay } from '#server/outside/wechat.ts'
import { AlipayServer } from '#tests/support/alipayServer.ts'
import { WechatServer } from '#tests/support/wechatServer.ts'

/** No library can be loaded. */
const broken = vi.hoisted(() => ({ on: false }))
const failing = <M extends object>(library: M): M =>
  new Proxy(library, {
    get: (target, name) => {
      if (broken.on && (name === 'Decorator' || name === 'AlipaySdk')) throw new Error('no memory')
      return Reflect.get(target, name)
    },
  })
vi.mock('wechatpay-axios-plugin', async (load) => failing(await load<object>()))
vi.mock('alipay-sdk', async (load) => failing(await load<object>()))

const wechat = await WechatServer.start()
const ali = await AlipayServer.start()
afterAll(() => Promise.all([wechat.stop(), ali.stop()]))

test('what cannot be loaded is loaded again the next time; what was loaded is kept', async () => {
  const load = vi.fn<() => Promise<string>>().mockRejectedValueOnce(new Error('no memory')).mockResolvedValue('library')
  const library = once(load)
  const [first, second] = [library(), library()]
  await expect(first).rejects.toThrow('no memory')
  await expect(second).rejects.toThrow('no memory')
  expect(load).toHaveBeenCalledTimes(1)
  expect(await library()).toBe('library')
  expect(await library()).toBe('library')
  expect(load).toHaveBeenCalledTimes(2)
})

test.each([
  ['wechat', () => wechatPay(wechat.options)],
  ['alipay', () => alipay(ali.options)],
])('%s goes on when its library can be loaded', async (_, provider) => {
  const { find } = provider()
  broken.on = true
  await expect(find('P1')).rejects.toThrow('no memory')
  broken.on = false
  expect(await find('P1')).toEqual({ state: 'open' })
})
