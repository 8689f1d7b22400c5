import { expect, test } from 'vitest'
import { workerReady } from './browser.ts'
import { setStage } from './stage.ts'

const stage = setStage()
const { open, student } = stage
const PASTED = '收货人：李小四\n电话：139-0000-2222\n地址：广东深圳南山科苑路15号'
const UNSAVED = '没有保存：保存地址需要网络。填写的内容已留在这台设备上，联网后再点保存。'

test('an address is pasted on a phone, waits through a lost answer and a closed browser, and is saved once', async () => {
  const { uid } = await student()
  let { page } = stage.phone
  const dialog = () => page.getByRole('dialog', { name: '新增收货地址' })
  const save = async () => {
    await dialog().getByRole('button', { name: '保存' }).click()
  }
  const isTold = async () => {
    await dialog().getByText(UNSAVED).waitFor()
  }
  await open('/user/my_address')
  await page.getByText('还没有收货地址').waitFor()
  await workerReady(page)
  await page.getByRole('button', { name: '新增收货地址' }).click()
  await dialog().getByLabel('粘贴识别').fill(PASTED)
  await dialog().getByRole('button', { name: '识别并填写' }).click()
  await dialog().getByRole('button', { name: '省市区 广东省 深圳市 南山区' }).waitFor()
  // What the screen and its list of places are made of is kept for the next start.
  const parts = () =>
    page.evaluate(async () => (await (await caches.open('part-v1')).keys()).map(({ url }) => new URL(url).pathname))
  await expect.poll(parts).toContainEqual(expect.stringContaining('/assets/regions-'))
  await expect.poll(parts).toContainEqual(expect.stringContaining('/assets/address-'))
  await stage.product.wire.set('drop-answer')
  await save()
  await isTold()
  const saved = () => stage.product.sql<{ detail: string }>('select detail from address where uid = $1', [uid])
  expect(await saved()).toEqual([{ detail: '科苑路15号' }])
  await stage.phone.end()

  await stage.product.wire.set('down')
  await stage.phone.reopen({ offline: true })
  page = stage.phone.page
  await open('/user/my_address')
  await page.getByText(/^离线，以下是 .+ 的内容；保存和删除需要联网$/).waitFor()
  await page.getByText('有一个新地址还没有保存：李小四，科苑路15号').waitFor()
  await page.getByRole('button', { name: '继续填写' }).click()
  await dialog().getByText('已恢复上次没有保存的内容').waitFor()
  await dialog().getByRole('button', { name: '省市区 广东省 深圳市 南山区' }).waitFor()
  await dialog().getByLabel('详细地址').fill('科苑路16号')
  await save()
  await isTold()

  await stage.product.wire.set('ok')
  await stage.phone.context.setOffline(false)
  await save()
  await dialog().waitFor({ state: 'detached' })
  await page.getByRole('article', { name: /李小四 13900002222.*默认.*广东省深圳市南山区 科苑路16号/ }).waitFor()
  expect(await saved()).toEqual([{ detail: '科苑路16号' }])
  expect(await page.getByText('还没有保存').count()).toBe(0)
})
