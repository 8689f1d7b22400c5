import type { Page } from 'playwright-core'
import { act } from './engine.ts'
import { STUDY } from './routes.ts'
import type { setStage } from './stage.ts'

/** Logged in, with one miss, one question collected and a note of it: what the addresses say is there (routes.ts). */
export async function studentWithLists({
  student,
  open,
  phone,
  stem,
  choose,
}: ReturnType<typeof setStage>): Promise<Page> {
  await student()
  await open(STUDY)
  const { page } = phone
  await stem(page, 1).waitFor()
  await choose(page, 'A')
  await page.getByText('回答错误').first().waitFor()
  for (const kind of ['collect', 'note'] as const)
    await act(page, { kind, questionNo: 'E2E_q1', chapterNo: 'E2E_c1', how: 1, text: '注意进位' })
  return page
}
