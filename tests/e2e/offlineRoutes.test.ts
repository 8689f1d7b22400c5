import { expect, test } from 'vitest'
import { workerReady } from './browser.ts'
import { studentWithLists } from './lists.ts'
import { ROUTES } from './routes.ts'
import { setStage } from './stage.ts'

const stage = setStage()
const { open, markSays } = stage

test('every address of studying that was visited once opens without a network, from a cold browser', async () => {
  const page = await studentWithLists(stage)
  await workerReady(page)
  await markSays(page, /已同步/)
  const parts = () =>
    stage.phone.page.evaluate(async () =>
      (await (await caches.open('part-v1')).keys()).map(({ url }) => url).join('\n'),
    )
  const shows = async ([address, says, part = /^/]: (typeof ROUTES)[number]) => {
    await open(address)
    await stage.phone.page.locator('main').getByText(says).first().waitFor()
    await expect.poll(parts).toMatch(part)
  }
  for (const route of ROUTES) await shows(route)
  // What was read goes to disk a moment later.
  await markSays(stage.phone.page, /已同步/)
  await stage.phone.end()

  await stage.phone.reopen({ offline: true })
  const missing: string[] = []
  for (const route of ROUTES) {
    await shows(route)
    if ((await stage.phone.page.getByText('联网后可查看').count()) > 0) missing.push(route[0])
  }
  expect(missing).toEqual([])

  // A chat app has cut this link within a code.
  await open('/news/news_detail/%E7%AC%')
  await stage.phone.page.getByRole('heading', { name: '抱歉，您访问的页面不存在。' }).waitFor()
  await stage.phone.page.getByRole('banner').waitFor()
})
