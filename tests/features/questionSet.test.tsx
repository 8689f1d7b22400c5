import { beginning, onDisk } from '#tests/support/drafts.ts'
import { fireEvent, screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { contract } from '#src/contract/index.ts'
import { offline } from '#src/offline/index.ts'
import { next } from '#src/player/playerState.ts'
import { sheetOf } from '#src/features/questionSet/PaperPage.tsx'
import { setPolicy } from '#src/features/questionSet/policy.ts'
import { beginAt, openLeft } from '#src/sitting/engine/open.ts'
import { handIn } from '#src/sitting/engine/sitting.ts'
import { packSettings } from '#src/offline/downloads/downloadSettings.ts'
import { session } from '#src/session/session.ts'
import { DIRECTION, prepareDevice } from '#tests/support/app.tsx'
import { bankJson, importBank } from '#tests/support/bank.ts'
import { publish, setJson } from '#tests/support/sets.ts'
import { tap } from '#tests/support/tap.ts'
import { nobody } from '#tests/support/wire.ts'
import { setScreens } from '#tests/support/screens.ts'

const choice = { type: 'single', options: ['甲', '乙', '丙'], answer: 'B', analysis: '略' }
const several = { type: 'multiple', options: ['甲', '乙', '丙'], answer: 'AB', analysis: '略' }
const essay = {
  type: 'essay',
  stem: '简述作风',
  answer: '三条',
  scoring: ['一', '二', '三'].map((text) => ({ text: `要点${text}`, score: 1 })),
}
/** Two choices, a multiple, an essay, and ten more choices. */
const bank = () => ({
  ...bankJson({ prefix: 'T', chapters: 1, perChapter: 0 }),
  questions: [
    { ...choice, stem: '第一' },
    { ...choice, stem: '第二' },
    { ...several, stem: '第三' },
    essay,
    ...Array.from({ length: 10 }, (_, i) => ({ ...choice, stem: `其余${i}` })),
  ].map((question, i) => ({ ...question, no: `T_q${i + 1}`, chapter: 'T_c1' })),
})
const nos = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => `T_q${from + i}`)

let papers = 0
const stage = setScreens(async (server) => {
  await importBank(server.db, server.mediaDir, bank())
  await publish(server.db, {
    ...setJson({ no: 'PAID', papers: [[nos(1, 14)], [['T_q1']]] }),
    price: 1990,
    vip: true,
    kind: 'special',
  })
})

const { open } = stage
const button = (name: string | RegExp) => screen.getByRole('button', { name })
const at = (n: number, total: number) =>
  screen.findByRole('heading', { level: 1, name: new RegExp(`^第${n}题，共${total}题`) })
const option = async (letter: string, role: 'radio' | 'checkbox' = 'radio') =>
  await userEvent.click(await screen.findByRole(role, { name: new RegExp(`^${letter}．`) }))

/** A free set of a test's own, begun in a mode from its detail page. */
async function begin(mode: string, total = 4): Promise<string> {
  const no = `FREE${++papers}`
  await publish(stage.server.db, {
    ...setJson({
      no,
      papers: [
        [
          ['T_q1', 'T_q2'],
          ['T_q3', 'T_q4'],
        ],
      ],
    }),
    kind: 'mock',
  })
  await open(`/question_set/question_set_detail/${no}`)
  await userEvent.click(await screen.findByRole('radio', { name: new RegExp(`^${mode}`) }))
  await tap('开始 第1套')
  await at(1, total)
  return `/question_set/question_set_study/${no}/${no}_1/x`
}

describe('a paper with recordings', () => {
  const RECORDING = `/media/${'a'.repeat(32)}.mp3`
  const fetched = () => stage.wire.sent.filter(({ path }) => path === RECORDING).length
  beforeAll(async () => {
    const heard = bankJson({ prefix: 'H', chapters: 1, perChapter: 2 })
    const questions = heard.questions.map((each, i) =>
      i === 1 ? { ...each, stem: `<audio src="${RECORDING}"></audio>谁在说话？` } : each,
    )
    await importBank(stage.server.db, stage.server.mediaDir, { ...heard, questions })
    await publish(stage.server.db, { ...setJson({ no: 'HEARD', papers: [[['H_q1', 'H_q2']]] }), kind: 'mock' })
  })
  const beginHeard = async () => {
    await open('/question_set/question_set_detail/HEARD')
    await tap('开始 第1套')
    await at(1, 2)
  }

  test('has them fetched before their questions are reached, for the worker to keep', async () => {
    await beginHeard()
    await expect.poll(fetched).toBe(1)
  })

  test('leaves them to a tap in 省流模式', async () => {
    packSettings.setSaver(true)
    await beginHeard()
    await tap('下一题')
    expect(await screen.findByLabelText('听力录音')).toBeTruthy()
    expect(fetched()).toBe(0)
    packSettings.setSaver(false)
  })
})

describe('the list of sets', () => {
  test('goes by kind, and says price, VIP and lock in words', async () => {
    await begin('即时反馈')
    await open('/question_set/question_set_list')
    const card = await screen.findByRole('button', { name: /PAID 仿真卷/ })
    // The record is read behind the list.
    await expect.poll(() => card.textContent).toMatch(/专项.*¥19\.90.*VIP.*未解锁.*2 套 · 15 题.*未做/)
    await tap('模拟')
    expect(screen.queryByRole('button', { name: /PAID 仿真卷/ })).toBeNull()
    expect(button(new RegExp(`FREE${papers} 仿真卷`)).textContent).toContain('免费')
    expect(button('模拟').getAttribute('aria-pressed')).toBe('true')
    await tap('真题')
    expect(screen.getByText('暂无更多...')).toBeTruthy()
  })
  test('without a network, never opened, says so and can be tried again', async () => {
    stage.wire.fault = nobody
    await open('/question_set/question_set_list')
    expect((await screen.findByRole('alert')).textContent).toContain('此内容尚未下载，联网后可查看')
    stage.wire.fault = null
    await tap('重试')
    expect(await screen.findByRole('button', { name: /PAID 仿真卷/ })).toBeTruthy()
  })
  test('is found from the libraries', async () => {
    await open('/question/library')
    await userEvent.click(await screen.findByRole('link', { name: '题集测评' }))
    expect(await screen.findByRole('heading', { level: 1, name: '题集' })).toBeTruthy()
  })
})

describe('a set in detail', () => {
  test('that has a price says what may be tried, and shuts what may not', async () => {
    await open('/question_set/question_set_detail/PAID')
    expect((await screen.findByText(/^整套/)).textContent).toBe('整套 ¥19.90VIP 可用')
    expect(screen.getByText('现在可以免费试做前 10 题，作答照常保留。')).toBeTruthy()
    expect(screen.getByRole('link', { name: '立即购买' }).getAttribute('href')).toBe('/order/payment/set-PAID-1')
    expect(screen.getByText('14 题')).toBeTruthy()
    expect(screen.getByText('满分 21 分')).toBeTruthy()
    expect(screen.getByRole<HTMLButtonElement>('button', { name: '未解锁 第2套' }).disabled).toBe(true)
    await tap('试做 10 题 第1套')
    await at(1, 10)
  })
  test('remembers how the student practises', async () => {
    await begin('背题')
    await open('/question_set/question_set_detail/PAID')
    expect((await screen.findByRole<HTMLInputElement>('radio', { name: /^背题/ })).checked).toBe(true)
  })
  test('that does not exist is told, with the way back', async () => {
    await open('/question_set/question_set_detail/NONE')
    expect((await screen.findByRole('alert')).textContent).toContain('题集不存在或已下架，请返回看看其他题集')
    await tap('返回')
    expect(await screen.findByRole('heading', { level: 1, name: '题集' })).toBeTruthy()
  })
})

describe('即时反馈', () => {
  test('marks each answer with what it earned, and keeps it as an answer of the library', async () => {
    await begin('即时反馈')
    expect(screen.getByText('第1大题')).toBeTruthy()
    expect(screen.getByText('1.5 分')).toBeTruthy()
    await option('B')
    expect(await screen.findByText('得 1.5/1.5 分')).toBeTruthy()
    await tap(/^答题卡/)
    const sheet = within(await screen.findByRole('dialog', { name: '答题卡' }))
    expect(sheet.getByRole('heading', { name: '第2大题' })).toBeTruthy()
    await userEvent.click(sheet.getByRole('button', { name: '第4题，未答' }))
    await tap('查看结果')
    expect(await screen.findByRole('heading', { name: /^本卷小结 · 还剩 \d+ 题$/ })).toBeTruthy()
    expect(screen.getByLabelText('得分 1.5，满分 6')).toBeTruthy()
    await tap('继续做')
    await at(2, 4)
  })
  test('of a trial ends at the lock, with the marks of what was tried', async () => {
    await open('/question_set/question_set_detail/PAID')
    await userEvent.click(await screen.findByRole('radio', { name: /^即时反馈/ }))
    await tap('试做 10 题 第1套')
    await at(1, 10)
    await tap(/^答题卡/)
    await tap('第10题，未答')
    await tap('查看结果')
    expect(await screen.findByText(/这一套还有 4 题未解锁/)).toBeTruthy()
    expect(screen.getByLabelText('得分 0，满分 15')).toBeTruthy()
    await tap('结束并记成绩')
    await screen.findByRole('heading', { name: '试做报告' })
    await open('/question_set/question_set_detail/PAID')
    await screen.findByText('试做 0/15 分，交卷 1 次')
    await open('/question_set/question_set_list')
    const card = await screen.findByRole('button', { name: /PAID 仿真卷.*试做 0\/15 分$/ })
    expect(card.textContent).not.toMatch(/已做|最好/)
  })
})

test('背题 shows the answers and counts nothing', async () => {
  await begin('背题')
  expect(screen.getByText('正确答案', { selector: 'p span' })).toBeTruthy()
  expect(screen.getByRole<HTMLInputElement>('radio', { name: /^B．/ }).disabled).toBe(true)
})

test('选项乱序 holds in a paper, also after coming back to it', async () => {
  localStorage.setItem('jk-shuffle', '1')
  vi.spyOn(Math, 'random').mockReturnValue(0.7)
  const path = await begin('即时反馈')
  const shown = async () => {
    await at(1, 4)
    return screen.getAllByRole('radio').map((each) => each.closest('label')?.textContent?.slice(-1))
  }
  const first = await shown()
  expect(first).not.toEqual(['甲', '乙', '丙'])
  await userEvent.keyboard('{Shift>}A{/Shift}')
  await expect.poll(async () => JSON.stringify(await offline.drafts(beginning('sitting')))).toContain('struck')
  vi.spyOn(Math, 'random').mockReturnValue(0.9)
  await open(path)
  expect(await shown()).toEqual(first)
})

describe('交卷后看', () => {
  test('reveals nothing, lets every answer change, and lists what is blank or in doubt before handing in', async () => {
    await begin('交卷后看')
    expect(screen.queryByRole('button', { name: '背题' })).toBeNull()
    await option('A')
    await option('B')
    await expect.poll(() => screen.getByRole<HTMLInputElement>('radio', { name: /^B．/ }).checked).toBe(true)
    expect(screen.queryByText(/回答(正确|错误)|解析/)).toBeNull()
    await tap('存疑')
    await userEvent.keyboard('{ArrowRight}')
    await at(2, 4)
    await userEvent.keyboard('a')
    await userEvent.keyboard('{Enter}')
    await at(3, 4)
    await tap('交卷')
    const dialog = within(await screen.findByRole('dialog', { name: '交卷' }))
    expect(dialog.getByText(/还有 2 题未答。/)).toBeTruthy()
    expect(dialog.getByRole('button', { name: '第1题，存疑' })).toBeTruthy()
    const blanks = within(dialog.getByRole('list', { name: '未答' })).getAllByRole('button')
    expect(blanks.map((each) => each.getAttribute('aria-label'))).toEqual(['第2大题 还有 2 题未答，去第3题'])
    await userEvent.click(blanks[0] ?? document.body)
    await at(3, 4)
    await tap('下一题')
    await at(4, 4)
    expect(screen.queryByRole('button', { name: '看参考答案并自评' })).toBeNull()
  })

  test('counts what is answered above the question, keeps 存疑 away from 交卷, and hands in from 答题卡, too', async () => {
    await begin('交卷后看')
    const counted = () => screen.getByRole('button', { name: /^答题卡/ }).textContent
    expect(counted()).toBe('已答 0/4')
    await option('B')
    await expect.poll(counted).toBe('已答 1/4')
    expect(screen.getByRole('progressbar', { name: '本组进度' }).getAttribute('aria-valuenow')).toBe('1')
    const head = [...document.querySelectorAll('[data-crowded] button')].map((each) => each.textContent)
    expect(head, 'something harmless stands between').toEqual(['', '已答 1/4', '存疑', '', '交卷'])
    await tap(/^答题卡/)
    const sheet = within(await screen.findByRole('dialog', { name: '答题卡' }))
    await userEvent.click(sheet.getByRole('button', { name: '交卷' }))
    expect(await screen.findByRole('dialog', { name: '交卷' })).toBeTruthy()
    expect(screen.queryByRole('dialog', { name: '答题卡' })).toBeNull()
  })

  test('asks to check first while something is blank, and Escape and 返回 go on checking', async () => {
    await begin('交卷后看')
    const asked = async () => within(await screen.findByRole('dialog', { name: '交卷' }))
    const ways = async () =>
      (await asked())
        .getAllByRole('button', { name: /^(继续检查|确定交卷)$/ })
        .map(({ textContent, dataset }) => [textContent, dataset.look])
    const gone = async () => {
      await expect.poll(() => screen.queryByRole('dialog', { name: '交卷' })).toBeNull()
    }
    await tap('交卷')
    expect(await ways()).toEqual([
      ['继续检查', 'filled'],
      ['确定交卷', 'light'],
    ])
    fireEvent((await asked()).getByText('交卷').closest('dialog') ?? document.body, new Event('cancel'))
    await gone()
    for (const n of [1, 2]) {
      await at(n, 4)
      await option('B')
      await tap('下一题')
    }
    await at(3, 4)
    await option('A', 'checkbox')
    await tap('下一题')
    await at(4, 4)
    await userEvent.type(screen.getByRole('textbox'), '三条')
    await userEvent.click(screen.getAllByRole('button', { name: '交卷' })[0] ?? document.body)
    expect(await ways()).toEqual([
      ['确定交卷', 'filled'],
      ['继续检查', 'light'],
    ])
    expect((await asked()).getByText(/^所有题都已作答。/)).toBeTruthy()
    history.back()
    await gone()
    await at(4, 4)
  })

  test('handed in gives marks by section and type, essays by the student’s own, and all of it to look through', async () => {
    const address = await begin('交卷后看')
    await option('B')
    await tap('下一题')
    await at(2, 4)
    await option('A')
    await tap('下一题')
    await at(3, 4)
    await option('A', 'checkbox')
    await tap('下一题')
    await at(4, 4)
    await userEvent.type(screen.getByRole('textbox'), '三条')
    await tap('存疑')
    await userEvent.click(screen.getAllByRole('button', { name: '交卷' }).at(-1) ?? document.body)
    const confirm = await screen.findByRole<HTMLButtonElement>('button', { name: '确定交卷' })
    fireEvent.click(confirm)
    expect([confirm.disabled, confirm.getAttribute('aria-busy')]).toEqual([true, 'true'])
    const heading = await screen.findByRole('heading', { name: '成绩报告' })
    expect(document.activeElement).toBe(heading)
    // 1.5 of a choice, half of a partly right multiple.
    expect(screen.getByLabelText('得分 2.25，满分 6')).toBeTruthy()
    const row = (name: string) => within(screen.getByRole('row', { name: new RegExp(`^${name}`) })).getAllByRole('cell')
    expect(row('第1大题').map((cell) => cell.textContent)).toEqual(['1/2', '1.5/3'])
    expect(row('多选题').map((cell) => cell.textContent)).toEqual(['0/1', '0.75/1.5'])

    await tap('自评主观题')
    await at(4, 4)
    await userEvent.click(screen.getByRole('checkbox', { name: /要点一/ }))
    await userEvent.click(screen.getByRole('checkbox', { name: /要点三/ }))
    await tap('完成自评')
    expect(await screen.findByText('得 1/1.5 分')).toBeTruthy()
    await tap('查看结果')
    expect(await screen.findByLabelText('得分 3.25，满分 6')).toBeTruthy()
    await tap('回看 3 道错题')
    await tap('返回报告')
    await tap('回看 3 道错题')
    await at(1, 3)
    expect(await screen.findByText('得 0/1.5 分')).toBeTruthy()

    await open(address)
    expect(await screen.findByLabelText('得分 3.25，满分 6')).toBeTruthy()
    await tap('再做一遍')
    await at(1, 4)
    expect(screen.getByRole<HTMLInputElement>('radio', { name: /^B．/ }).checked).toBe(false)
  })

  test('goes on where it was left, with answers and doubts', async () => {
    const address = await begin('交卷后看')
    await tap('存疑')
    await tap('下一题')
    await at(2, 4)
    await option('C')
    // What a browser remembers for all screens is not on disk yet when it is killed.
    localStorage.removeItem('jk-set-mode')
    await open(address)
    await at(2, 4)
    expect(screen.getByRole<HTMLInputElement>('radio', { name: /^C．/ }).checked).toBe(true)
    await tap(/^答题卡/)
    expect(await screen.findByRole('button', { name: '第1题，未答，存疑' })).toBeTruthy()
    expect(session.get().exam).toEqual(DIRECTION)
  })

  test('takes over from a kept view only with the question on the screen, so that a tap on the view is not lost', async () => {
    const address = await begin('交卷后看')
    stage.close()
    const [view, root] = ['view', 'root'].map((id) => Object.assign(document.createElement('div'), { id }))
    if (!view || !root) throw new Error('no elements')
    document.body.append(view, root)
    const shown = new Promise<string | null>((resolve) => {
      new MutationObserver((_, watch) => {
        if (view.isConnected) return
        watch.disconnect()
        resolve(document.querySelector('h1')?.textContent ?? null)
      }).observe(document.body, { childList: true })
    })
    await open(address)
    expect(await shown).toMatch(/^第1题，共4题/)
    root.remove()
  })
})

describe('a sitting', () => {
  const record = async () => [...(await offline.things('attempt')).values()]
  const mine = async (no: string) => (await record()).filter(({ paper }) => paper.no === no)

  test('in 即时反馈 ends when all is answered or the student says so, is kept, and another one begins beside it', async () => {
    await begin('即时反馈')
    const no = `FREE${papers}`
    await option('B')
    await screen.findByText('得 1.5/1.5 分')
    await tap(/^答题卡/)
    await tap('第4题，未答')
    await tap('查看结果')
    expect(await mine(no)).toEqual([])
    const end = await screen.findByRole<HTMLButtonElement>('button', { name: '结束并记成绩' })
    fireEvent.click(end)
    expect([end.disabled, end.getAttribute('aria-busy')]).toEqual([true, 'true'])
    await screen.findByRole('heading', { name: '成绩报告' })
    expect(await mine(no)).toMatchObject([{ mode: 'practice', score: 150, full: 600, marks: [150, null, null, null] }])
    const answers = (await offline.waiting()).filter(({ kind, payload }) => kind === 'answer' && payload.from === 'set')
    expect(answers.length).toBeGreaterThan(0)
    await tap('再做一遍')
    await at(1, 4)
    await open(`/question_set/question_set_detail/${no}`)
    expect(await screen.findByText('最好 1.5/6 分，交卷 1 次')).toBeTruthy()
    await userEvent.click(screen.getByText('成绩记录'))
    await tap(/即时反馈 · 1.5\/6 分/)
    expect(await screen.findByLabelText('得分 1.5，满分 6')).toBeTruthy()
    await tap('返回题集')
    await open('/question_set/question_set_list')
    await screen.findByRole('button', { name: new RegExp(`${no} 仿真卷.*已做 1/1 套.*最好 1.5/6 分`) })
  })

  test('handed in writes every answer and itself at once; an essay’s marks follow', async () => {
    await begin('交卷后看')
    const no = `FREE${papers}`
    const before = (await offline.waiting()).length
    await option('B')
    await tap('下一题')
    await at(2, 4)
    await option('A')
    await tap(/^答题卡/)
    await tap('第4题，未答')
    await userEvent.type(await screen.findByRole('textbox'), '三条')
    expect(await offline.waiting()).toHaveLength(before)
    await userEvent.click(screen.getAllByRole('button', { name: '交卷' }).at(-1) ?? document.body)
    await tap('确定交卷')
    await screen.findByRole('heading', { name: '成绩报告' })
    expect((await offline.waiting()).slice(before).map(({ kind }) => kind)).toEqual(['answer', 'answer', 'handIn'])
    await tap('自评主观题')
    await at(4, 4)
    for (const point of [/要点一/, /要点二/]) await userEvent.click(screen.getByRole('checkbox', { name: point }))
    await tap('完成自评')
    await screen.findByText('得 1/1.5 分')
    expect(await mine(no)).toMatchObject([{ score: 250, marks: [150, 0, null, 100] }])
  })

  test.each(['nothing', 'another answer'])(
    'handed in in another tab shows what was handed in there, when %s is chosen here meanwhile',
    async (chosenHere) => {
      await begin('交卷后看')
      const no = `FREE${papers}`
      const paper = await stage.server.call(contract.questionSet.paper, { no, itemNo: `${no}_1` })
      const opened = await openLeft(setPolicy, sheetOf(paper), 'exam')
      const state = opened.state.items
        .slice(0, 1)
        .reduce((all, { part }) => next(all, { type: 'choose', part, id: 'B' }), opened.state)
      await handIn(setPolicy, { ...opened, state, taken: { elapsedMs: 0, chosenMs: 0 } })
      if (chosenHere !== 'nothing') await option('A')
      await tap('下一题')
      await at(2, 4)
      await tap('交卷')
      await tap('确定交卷')
      for (const again of [false, true]) {
        if (again) await open(`/question_set/question_set_study/${no}/${no}_1/x`)
        await screen.findByRole('heading', { name: '成绩报告' })
        expect(screen.getByLabelText('得分 1.5，满分 6')).toBeTruthy()
        expect(button('查看全部解析'), 'with every answer').toBeTruthy()
        expect(screen.queryByRole('button', { name: '确定交卷' })).toBeNull()
      }
    },
  )

  test('that another device has answered shows its marks, and says what is not here', async () => {
    await begin('交卷后看')
    const no = `FREE${papers}`
    await option('B')
    await tap('交卷')
    await screen.findByText(/空白的主观题计 0 分/)
    await tap('确定交卷')
    await screen.findByRole('heading', { name: '成绩报告' })
    expect(screen.queryByRole('button', { name: '自评主观题' })).toBeNull()
    const [id = ''] = [...(await offline.things('attempt'))].find(([, { paper }]) => paper.no === no) ?? []
    stage.close()
    for (const key of [`sitting:${id}`, `handed:${id}`]) await offline.dropDraft(onDisk(key))
    await open(`/question_set/question_set_study/${no}/${no}_1/x?past=${id}`)
    expect(await screen.findByText(/每题选了什么保存在当时作答的设备上/)).toBeTruthy()
    const row = within(screen.getByRole('row', { name: /^第1大题/ })).getAllByRole('cell')
    expect(row.map((cell) => cell.textContent)).toEqual(['1/2', '1.5/3'])
  })
})

describe('我的题集', () => {
  test('names a set that this device knows nothing of without its number', async () => {
    stage.wire.fault = nobody
    await beginAt(setPolicy, { no: 'HIDDEN', itemNo: 'HIDDEN_1' }, 'exam')
    prepareDevice(await stage.server.student())
    await open('/user/my_set')
    await screen.findAllByText('题集名称联网后显示')
    expect(screen.getAllByText('套卷').length).toBeGreaterThan(0)
    expect(document.body.textContent).not.toContain('HIDDEN')
    await offline.dropDraft(onDisk('paper:HIDDEN_1:exam'))
  })
  test('lists what was begun and finished, the newest first, with the way on', async () => {
    const student = await stage.server.student()
    prepareDevice(student)
    await begin('交卷后看')
    const no = `FREE${papers}`
    await option('B')
    await tap('下一题')
    await at(2, 4)
    await open('/user/my_set')
    const card = (await screen.findByRole('heading', { name: `${no} 仿真卷` })).closest('li')
    expect(card?.textContent).toMatch(/第1套.*交卷后看：已答 1\/4 题/)
    await userEvent.click(within(card ?? document.body).getByRole('button', { name: '继续 第1套' }))
    await at(2, 4)
    await tap('交卷')
    await tap('确定交卷')
    await screen.findByRole('heading', { name: '成绩报告' })
    await open('/user/my_set')
    const done = (await screen.findByRole('heading', { name: `${no} 仿真卷` })).closest('li') ?? document.body
    expect(await within(done).findByText(/最好 1.5\/6 分，交卷 1 次/)).toBeTruthy()
    await userEvent.click(within(done).getByRole('button', { name: '查看报告 第1套' }))
    expect(await screen.findByLabelText('得分 1.5，满分 6')).toBeTruthy()
  })
})
