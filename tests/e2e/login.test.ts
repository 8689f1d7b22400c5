import { expect, test } from 'vitest'
import { setStage } from './stage.ts'

const stage = setStage({ worker: false })
const { open, beVisitor, logIn, newMobile } = stage

test('a visitor who logs in at a closed door is let in where they wanted to go: by its address, by an entry of the home page', async () => {
  const { page } = stage.phone
  const at = () => new URL(page.url()).pathname + new URL(page.url()).search
  await beVisitor()
  await open('/news/news_list')
  await open('/user/my_note?q=%E5%8A%9B')
  await page.getByRole('dialog', { name: '提示信息' }).getByRole('button', { name: '去登录' }).click()
  await logIn(page, newMobile(), { asked: true })
  await page.getByRole('heading', { name: '我的笔记' }).waitFor()
  expect(at()).toBe('/user/my_note?q=%E5%8A%9B')
  // The home page that stood behind the dialog was nobody's choice.
  await page.goBack()
  await expect.poll(at).toBe('/news/news_list')
  await open('/user/my_userinfo')
  await page.getByRole('button', { name: '退出登录' }).click()
  await page.getByRole('dialog', { name: '退出登录' }).getByRole('button', { name: '退出', exact: true }).click()
  await page.getByRole('button', { name: /^游客/ }).waitFor()
  await page.evaluate(() => sessionStorage.clear())
  await open('/')
  await page.getByRole('navigation', { name: '快捷入口' }).getByRole('link', { name: '收藏' }).click()
  await logIn(page, newMobile(), { asked: true })
  await page.getByRole('heading', { name: '我的收藏' }).waitFor()

  // On a phone whatever is one's own is one tap away, and nothing stands beside the edge.
  await page.setViewportSize({ width: 360, height: 740 })
  await page.getByRole('main').getByRole('link', { name: '我的', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: '我的' }).waitFor()
  const rows = page.getByRole('main').getByRole('listitem')
  const outside = await rows.evaluateAll(
    (all) => all.filter((each) => each.getBoundingClientRect().right > window.innerWidth).length,
  )
  expect([await rows.count(), outside]).toEqual([19, 0])
  await rows.getByRole('link', { name: '收藏' }).click()
  await page.getByRole('heading', { name: '我的收藏' }).waitFor()
})
