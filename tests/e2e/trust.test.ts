import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { workerReady } from './browser.ts'
import { act, ENGINE_KINDS, shownBy } from './engine.ts'
import { OTHER, setStage, STUDY } from './stage.ts'

const stage = setStage()
const { open, stem, choose, answers, student, uidOf, newMobile, beVisitor, markSays, signIn } = stage

const NOS = ['E2E_q1', 'E2E_q38', 'E2E_q39', 'E2E_q40', 'E2E_q41']
const right = (page: Page) => page.getByText('回答正确').first().waitFor()
/** One act of every kind, with what the engine called saved. */
async function everything(page: Page, how: number): Promise<string[]> {
  const saved: string[] = []
  const sitting = { attemptId: randomUUID(), paper: await stage.anyPaper() }
  const sat = { attemptId: randomUUID(), ...(await stage.anyExam()), choices: [] as string[] }
  for (const kind of ENGINE_KINDS) {
    const exam = kind.startsWith('exam') ? sat : undefined
    const questionNo = kind === 'note' || kind === 'collect' ? 'E2E_q40' : `E2E_q${38 + (how % 2)}`
    const opId = await act(page, { kind, questionNo, chapterNo: 'E2E_c1', how, target: saved[0], sitting, exam })
    if (kind === 'examChoice') sat.choices.push(opId)
    saved.push(opId)
  }
  // The first one was taken back.
  saved.push(await act(page, { kind: 'answer', questionNo: 'E2E_q39', chapterNo: 'E2E_c1', how: how + 1 }))
  return saved
}
const opsOf = async (uid: string) =>
  (
    await stage.product.sql<{ op_id: string; verdict: string }>(
      'select op_id, verdict from study_op where uid = $1 order by op_id',
      [uid],
    )
  ).map(({ op_id, verdict }) => `${op_id} ${verdict}`)
const applied = (ids: readonly string[]) => ids.map((id) => `${id} applied`).sort()

test('one student, two phones without a network, every kind of act: both show one record, and nothing is lost', async () => {
  const { uid, mobile } = await student()
  await open(STUDY)
  await stem(stage.phone.page, 1).waitFor()
  const other = await stage.anotherPhone()
  try {
    await signIn(other.page, mobile)
    await other.page.goto(stage.product.url + OTHER, { waitUntil: 'domcontentloaded' })
    await other.page.getByText('第2章第1题：').waitFor()
    for (const phone of [stage.phone, other]) await workerReady(phone.page)
    for (const phone of [stage.phone, other]) await phone.context.setOffline(true)
    const saved = [...(await everything(stage.phone.page, 7)), ...(await everything(other.page, 11))]
    await choose(stage.phone.page, 'B')
    await right(stage.phone.page)
    await choose(other.page, 'B')
    await right(other.page)

    await other.context.setOffline(false)
    await markSays(other.page, /已同步/)
    await stage.phone.context.setOffline(false)
    await markSays(stage.phone.page, /已同步/)
    await other.page.reload({ waitUntil: 'domcontentloaded' })
    await expect
      .poll(() => shownBy(other.page, NOS).catch(() => null), { timeout: 20_000 })
      .toEqual(await shownBy(stage.phone.page, NOS))
    const ops = await opsOf(uid)
    expect(ops).toHaveLength(saved.length + 2)
    expect(ops).toEqual(expect.arrayContaining(applied(saved)))
    const [notes] = await stage.product.sql<{ count: number }>(
      `select json_array_length(body -> 'notes') as count from study_record where uid = $1 and id = 'E2E_q40'`,
      [uid],
    )
    // Neither had seen the other's.
    expect(notes).toEqual({ count: 2 })
  } finally {
    await other.close()
  }
})

test('a browser killed while a visitor’s record is merged asks again or has merged, and everything counts once', async () => {
  await beVisitor()
  await open(STUDY)
  await choose(stage.phone.page, 'B')
  await right(stage.phone.page)
  const saved = await everything(stage.phone.page, 7)
  await open('/')
  const mobile = newMobile()
  await signIn(stage.phone.page, mobile)
  // As long as nobody has chosen, it is asked at each start; and the login is on disk before the kill.
  await stage.phone.page.getByText('未登录时的 2 次作答、1 道收藏、1 道题的笔记').waitFor()
  await stage.phone.end()
  await stage.phone.reopen()
  await open('/')
  await stage.phone.page.getByRole('button', { name: '合并到账号' }).click()
  await stage.phone.kill()
  await stage.phone.reopen()
  await open('/')
  const again = stage.phone.page.getByRole('button', { name: '合并到账号' })
  await Promise.race([again.waitFor().then(() => again.click()), markSays(stage.phone.page, /已同步/).catch(() => {})])
  const uid = await uidOf(mobile)
  await expect.poll(() => opsOf(uid), { timeout: 20_000 }).toHaveLength(saved.length + 1)
  expect(await opsOf(uid)).toEqual(expect.arrayContaining(applied(saved)))
  expect((await answers(uid)).find((row) => row.question_no === 'E2E_q1')).toEqual({
    question_no: 'E2E_q1',
    times: 1,
    wrong: 0,
  })
})

test('a browser that throws everything away gets all of it back from the server', async () => {
  const { uid, mobile } = await student()
  await open(STUDY)
  await stem(stage.phone.page, 1).waitFor()
  const saved = await everything(stage.phone.page, 7)
  await expect.poll(() => opsOf(uid), { timeout: 20_000 }).toEqual(applied(saved))
  await markSays(stage.phone.page, /已同步/)
  const before = await shownBy(stage.phone.page, NOS)
  const session = await stage.phone.context.newCDPSession(stage.phone.page)
  await stage.phone.page.goto('about:blank')
  await session.send('Storage.clearDataForOrigin', { origin: stage.product.url, storageTypes: 'all' })
  await signIn(stage.phone.page, mobile)
  await open('/')
  await markSays(stage.phone.page, /已同步/)
  await expect.poll(() => shownBy(stage.phone.page, NOS), { timeout: 20_000 }).toEqual(before)
  await act(stage.phone.page, { kind: 'answer', questionNo: 'E2E_q41', chapterNo: 'E2E_c2', how: 1 })
  await expect.poll(() => opsOf(uid), { timeout: 20_000 }).toHaveLength(saved.length + 1)
})
