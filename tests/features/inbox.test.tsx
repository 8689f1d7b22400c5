// Ahead of time: what the page loads lazily takes a busy machine longer than a test waits.
import '#src/features/inbox/InboxBar.tsx'
import '#src/features/inbox/InboxSheet.tsx'
import '#src/player/question/Insight.tsx'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterContextProvider } from '@tanstack/react-router'
import { render, screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Located } from '#src/contract/question.ts'
import type { Thing, ThingChange } from '#src/contract/study.ts'
import { useUnreadReplies } from '#src/features/inbox/messages.ts'
import { ReportSheet } from '#src/features/inbox/ReportSheet.tsx'
import { offline } from '#src/offline/index.ts'
import { keepQuestions } from '#src/offline/downloads/keptQuestions.ts'
import { openRecord } from '#src/offline/device/rows.ts'
import { writeTime } from '#server/content/media/time.ts'
import { bankJson, importBank } from '#tests/support/bank.ts'
import { examJson, publishExam } from '#tests/support/exams.ts'
import { single } from '#tests/support/questions.ts'
import { placeIn } from '#tests/support/states.ts'
import { setScreens } from '#tests/support/screens.ts'

const stage = setScreens(async (server) => {
  await importBank(server.db, server.mediaDir, bankJson({ chapters: 1, perChapter: 30 }))
})
beforeEach(async () => {
  await openRecord().run(['things', 'ops'], 'readwrite', async (tx) => {
    tx.objectStore('things').clear()
    tx.objectStore('ops').clear()
  })
})

const inRecord = (work: (things: IDBObjectStore) => void) =>
  openRecord().run(['things'], 'readwrite', async (tx) => work(tx.objectStore('things')))
/** As a sync has brought it. */
const plant = (...changes: ThingChange[]) =>
  inRecord((things) => {
    for (const each of changes)
      things.put({ owner: offline.owner, kind: each.kind, id: each.id, base: each, view: each })
  })
const AT = Date.UTC(2026, 10, 20, 1)
const notice = (id: string, over: Partial<Thing<'notice'>> = {}): ThingChange => ({
  kind: 'notice',
  id,
  body: { at: AT, version: 2, was: false, right: true, chosen: ['C'], ...over },
})
const give = (questionNo: string, id: string) =>
  offline.recordAnswer({
    questionNo,
    response: { kind: 'choice', ids: [id] },
    spentMs: 1000,
    from: 'library',
    version: 1,
    right: id === 'B',
    place: placeIn(),
  })
const located = (no: string): Located => ({
  question: single(no),
  chapterNo: 'L_c1',
  libraryNo: 'L',
  retired: false,
})
const bar = () => screen.findByRole('complementary', { name: '新消息' })
const inbox = async () => within(await screen.findByRole('dialog', { name: '消息' }))

describe('the word of a corrected answer', () => {
  test('names the answer, opens its question, and is closed for good', async () => {
    await give('L_q29', 'C')
    await keepQuestions(offline.owner, [located('L_q29')])
    await plant(notice('L_q29'))
    await stage.open('/')
    // The words of the option come with the question, a moment after the bar.
    const told = await bar()
    await expect.poll(() => told.textContent).toContain('1 道做过的题答案已更正：你之前选的“选项C”现在算对')
    await userEvent.click(screen.getByRole('button', { name: '查看' }))
    const sheet = await inbox()
    await sheet.findByText(/^(2026年)?11月20日 更正/)
    await userEvent.click(await sheet.findByRole('link', { name: '查看题目' }))
    await screen.findByText(/第1章第29题/)
    expect((await offline.things('setting')).get('noticesSeen')?.value).toBe(AT)
    await stage.open('/')
    await expect.poll(() => screen.queryByRole('complementary', { name: '新消息' })).toBeNull()
    await plant(notice('L_q28', { at: AT + 1, right: false, was: true }))
    await stage.open('/')
    expect((await bar()).textContent).toContain('现在算错')
  })

  test('of several is a number and a list; what was retired says so', async () => {
    await give('L_q27', 'C')
    await offline.recordAnswer({
      questionNo: 'gone_1',
      response: { kind: 'blank', texts: ['1927', ''] },
      spentMs: 1,
      from: 'library',
      version: 1,
      right: false,
      place: { ...placeIn(), chapterNo: null, type: 'blank' },
    })
    await plant(notice('L_q27'), notice('gone_1', { chosen: ['1927', ''], at: AT + 5 }))
    await stage.open('/')
    expect((await bar()).querySelector('p')?.textContent).toBe('2 道做过的题答案已更正')
    await userEvent.click(screen.getByRole('button', { name: '查看' }))
    const [first] = (await screen.findAllByText(/你之前/)).map((text) => text.closest('li'))
    expect(first?.textContent).toContain('你之前填的“1927；（空）”现在算对')
    expect(first?.textContent).toContain('已下架')
  })

  test('stands with the question, beside what all students made of it', async () => {
    const row = { question_no: 'L_q1', since: 1, right: 0 }
    await stage.server.db
      .insertInto('tally')
      .values([
        { ...row, pick: 'B', n: 63 },
        { ...row, pick: 'C', n: 30 },
        { ...row, pick: 'A', n: 7 },
      ])
      .execute()
    await plant(notice('L_q1'))
    await stage.open('/question/library_study/L_c1/20/x')
    await screen.findByText(/第1章第1题/)
    await userEvent.click(screen.getByRole('radio', { name: /^B．/ }))
    await screen.findByText('全站正确率 63% · 易错项 C')
    screen.getByText(/^这道题的答案已于 (2026年)?11月20日 更正，你之前的作答现在算对$/)
  })
})

describe('消息', () => {
  const order = (id: string, at: number, over: Partial<Thing<'order'>>): ThingChange => ({
    kind: 'order',
    id,
    body: { at, event: 'ship', title: '口袋书', lines: 1, note: '', refunded: 0, ...over },
  })
  const sitting = (id: string, over: Partial<Thing<'exam'>>): ThingChange => ({
    kind: 'exam',
    id,
    body: {
      exam: 'OVER',
      rev: 'r',
      mode: 'practice',
      startedAt: ENDED - 5_000_000,
      handedAt: ENDED - 60_000,
      handIn: id,
      hash: '',
      answered: 3,
      elapsedMs: 1,
      spentMs: 1,
      flags: [],
      ...over,
    },
  })
  const ENDED = Math.floor(Date.now() / 60_000) * 60_000 - 3_600_000
  const items = async () =>
    await (await inbox()).findAllByRole('listitem').then((all) => all.map((each) => each.textContent))
  beforeAll(async () => {
    const publish = (no: string, end: number) =>
      publishExam(stage.server.db, {
        ...examJson({ no, paper: [['L_q1']] }),
        startsAt: writeTime(ENDED - 7_200_000),
        endsAt: writeTime(end - 600_000),
        rankClosesAt: writeTime(end),
      })
    await publish('OVER', ENDED)
    await publish('TOO', ENDED)
    await publish('RUNS', ENDED + 86_400_000)
  })

  test('of an order alone says what the shop did, and leads to it', async () => {
    await plant(order('O1', AT, { note: '邮政 EMS1', lines: 2 }))
    await stage.open('/')
    expect((await bar()).querySelector('p')?.textContent).toBe('“口袋书”等 2 件已发货')
    await userEvent.click(screen.getByRole('button', { name: '查看' }))
    const sheet = await inbox()
    await sheet.findByText('邮政 EMS1')
    sheet.getByRole('img', { name: '未读' })
    expect(sheet.getByRole('link', { name: '查看订单' }).getAttribute('href')).toBe('/order/order_detail/O1')
    await expect.poll(() => screen.queryByRole('complementary', { name: '新消息', hidden: true })).toBeNull()
    // Marked as long as it is on the screen.
    sheet.getByRole('img', { name: '未读' })
    await userEvent.click(sheet.getByRole('button', { name: '关闭' }))
    await expect.poll(() => document.activeElement?.id).toBe('main')
  })

  test('of an exam comes when its results do, for who handed in before: the sitting that is ranked', async () => {
    await plant(
      sitting('p1', {}),
      sitting('e1', { mode: 'exam' }),
      sitting('r1', { exam: 'RUNS', mode: 'exam' }),
      order('O2', ENDED + 1, { event: 'refund', refunded: 1990 }),
      order('O3', ENDED + 2, { event: 'decline', note: '已拆封' }),
    )
    await stage.open('/')
    const told = await bar()
    await expect.poll(() => told.textContent).toContain('1 场考试出了成绩，2 个订单有新进展')
    await userEvent.click(screen.getByRole('button', { name: '查看' }))
    expect(await items()).toMatchObject([
      expect.stringMatching(/“口袋书”的退款申请没有通过已拆封.*查看订单$/),
      expect.stringMatching(/“口袋书”已退款 ¥19\.90.*查看订单$/),
      expect.stringMatching(/“OVER 模考”成绩已出.*公布查看成绩$/),
    ])
    expect((await inbox()).getByRole('link', { name: '查看成绩' }).getAttribute('href')).toBe('/exam/exam_report/e1')
  })

  test('of an exam that was handed in after its results came out is none: its marks came at once', async () => {
    await plant(sitting('late', { handedAt: ENDED + 60_000 }), sitting('other', { exam: 'TOO' }))
    await stage.open('/')
    await bar()
    await userEvent.click(screen.getByRole('button', { name: '查看' }))
    expect(await items()).toMatchObject([expect.stringContaining('“TOO 模考”成绩已出')])
  })
})

describe('我的纠错', () => {
  const report = (id: string, over: Partial<Thing<'report'>>): ThingChange => ({
    kind: 'report',
    id,
    body: { questionNo: 'L_q5', reason: 'answer', text: '应选 C', at: AT, status: 'received', reply: '', ...over },
  })
  const openReports = ({ router, queryClient }: NonNullable<typeof stage.app>) =>
    render(
      <QueryClientProvider client={queryClient}>
        <RouterContextProvider router={router}>
          <ReportSheet onClose={() => {}} />
        </RouterContextProvider>
      </QueryClientProvider>,
    )
  const Count = () => <output aria-label="未读">{useUnreadReplies().length}</output>

  test('lists each with its status and reply, and its news are read once', async () => {
    await give('L_q5', 'C')
    await plant(
      report('r1', {}),
      report('r2', { status: 'fixed', reply: '已改为 C', answeredAt: AT + 10 }),
      report('r3', { status: 'declined', reply: '教材第 12 页', answeredAt: AT + 20, reason: 'stem' }),
    )
    const app = await stage.open('/')
    const unread = () => screen.getByLabelText('未读').textContent
    render(<Count />)
    await expect.poll(unread).toBe('2')
    openReports(app)
    const items = (await within(await screen.findByRole('dialog', { name: '我的纠错' })).findAllByRole('listitem')).map(
      (item) => item.textContent,
    )
    expect(items).toMatchObject([
      expect.stringMatching(/题干有误 不采纳.*回复：教材第 12 页/),
      expect.stringMatching(/答案有误 已修正应选 C回复：已改为 C/),
      expect.stringMatching(/答案有误 已收到/),
    ])
    await expect.poll(unread).toBe('0')
  })

  test('that was answered is told on the screen, with the way to it, and told no more once it was opened or closed', async () => {
    const gone = async () =>
      await expect.poll(() => screen.queryByRole('complementary', { name: '新消息', hidden: true })).toBeNull()
    await plant(report('r1', {}))
    await stage.open('/')
    await plant(report('r1', { status: 'declined', reply: '教材第 12 页', answeredAt: AT + 30 }))
    // As a sync tells it.
    await offline.add({ kind: 'report', payload: { questionNo: 'L_q6', version: 1, reason: 'stem', text: '' } })
    expect((await bar()).textContent).toContain('你的纠错有 1 条新回复：不采纳')
    await userEvent.click(screen.getByRole('button', { name: '查看' }))
    await gone()
    const sheet = await inbox()
    await sheet.findByText('回复：教材第 12 页')
    sheet.getByText(/回复你反映的“答案有误”$/)
    stage.close()
    await plant(
      report('r2', { status: 'fixed', answeredAt: AT + 40 }),
      report('r3', { status: 'fixed', answeredAt: AT + 50 }),
    )
    await stage.open('/')
    expect((await bar()).textContent).toContain('你的纠错有 2 条新回复')
    await userEvent.click(screen.getByRole('button', { name: '知道了' }))
    await gone()
    expect((await offline.things('setting')).get('noticesSeen')?.value).toBe(AT + 50)
  })

  test('of a question that was never answered leads to it as well', async () => {
    await keepQuestions(offline.owner, [located('L_q9')])
    await plant(report('r1', { questionNo: 'L_q9' }))
    const app = await stage.open('/')
    openReports(app)
    await userEvent.click(await screen.findByRole('link', { name: '查看题目' }))
    await screen.findByText(/第1章第9题/)
  })
})
