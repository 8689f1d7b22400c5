import { expect, test } from 'vitest'
import { workerReady } from './browser.ts'
import { act } from './engine.ts'
import { ROUTES } from './routes.ts'
import { setStage, STUDY } from './stage.ts'

const stage = setStage()
const { open, choose, stem, student, markSays } = stage

test('every address of studying that was visited once opens without a network, from a cold browser', async () => {
  await student()
  await open(STUDY)
  const { page } = stage.phone
  await stem(page, 1).waitFor()
  await choose(page, 'A')
  await page.getByText('回答错误').first().waitFor()
  for (const kind of ['collect', 'note'] as const)
    await act(page, { kind, questionNo: 'E2E_q1', chapterNo: 'E2E_c1', how: 1, text: '注意进位' })
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
  await stage.phone.context.close()

  await stage.phone.reopen({ offline: true })
  const missing: string[] = []
  for (const route of ROUTES) {
    await shows(route)
    if ((await stage.phone.page.getByText('联网后可查看').count()) > 0) missing.push(route[0])
  }
  expect(missing).toEqual([])
})
