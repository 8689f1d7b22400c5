import { describe, expect, test } from 'vitest'
import { STUDY } from '#tests/e2e/routes.ts'
import { handouts } from '#tests/support/handouts.ts'
import { call, isDrawn, isHere, mute, until } from './engine.ts'
import { firefox } from './firefox.ts'
import { setEngine } from './stage.ts'
import { webkit } from './webkit.ts'

const DAY_MS = 86_400_000

const stage = setEngine()
const { begin, open, says, markSays, press, choose, workerReady } = stage

const states = async (uid: string) =>
  await stage.product.sql<{ id: string; times: number }>(
    `select id, (body ->> 'times')::int as times from study_record
      where uid = $1 and kind = 'state' and id like 'E2E_%' order by id`,
    [uid],
  )

describe.each([
  ['WebKit', webkit],
  ['Firefox', firefox],
])('%s', (_, launch) => {
  test('a chapter goes on without a network, and every answer arrives once', async () => {
    const uid = await begin(launch)
    await open(STUDY)
    await says('第1章第1题：')
    await workerReady()
    await stage.product.wire.set('down')
    await choose(0)
    await press('确认答案')
    await says('回答错误')
    // Whoever comes back goes on at the next question.
    await open(STUDY)
    await says('第1章第2题：')
    await choose(1)
    await press('确认答案')
    await says('回答正确')
    await open('/user/my_error')
    await says('按章节')
    await markSays(/2 条/)
    await stage.product.wire.set('ok')
    await markSays(/已同步/)
    expect(await states(uid)).toEqual([
      { id: 'E2E_q1', times: 1 },
      { id: 'E2E_q2', times: 1 },
    ])
  })

  test('an exam is begun, sat and handed in without a network; its result comes with the network', async () => {
    const uid = await begin(launch)
    await open('/exam/exam_detail/X_math')
    await says('试卷结构')
    await workerReady()
    await press('报名')
    await press('进入考试')
    await says('开始考试')
    await stage.product.wire.set('down')
    await press('开始考试')
    await says(/第1题/)
    await choose(0)
    await press('交卷')
    await press('确定交卷')
    await says('交卷回执')
    await stage.product.wire.set('ok')
    await says(/得分|分数/)
    const arrived = () =>
      stage.product.sql<{ n: number }>(
        `select count(*)::int as n from study_record where uid = $1 and kind = 'exam' and body ->> 'handedAt' is not null`,
        [uid],
      )
    await until('the attempt', arrived, ([row]) => (row?.n ?? 0) > 0)
  })

  test('a lesson is downloaded and plays without a network; a handout that was opened is read again', async () => {
    const uid = await begin(launch)
    const { politics } = handouts
    await stage.product.sql(`insert into entitlement (uid, kind, no, until) values ($1, 'course', $2, $3)`, [
      uid,
      politics.course,
      Date.now() + DAY_MS,
    ])
    await open('/course/course_detail/K_math0')
    await workerReady()
    await press('下载 集合与元素')
    await until('it is here', () => call(stage.engine, isHere, '移除已下载的 集合与元素'), Boolean)
    const handout = `/pdf/${encodeURIComponent(politics.address)}`
    await open(handout)
    await says('可离线看')

    await stage.product.wire.set('down')
    await open(handout)
    await until('the first page is drawn', () => call(stage.engine, isDrawn), Boolean)
    await open('/user/my_course')
    await press('集合与元素')
    await until('the picture is there', () => call(stage.engine, mute), Boolean)
    await press('播放')
    const at = () => call(stage.engine, () => document.querySelector('video')?.currentTime ?? 0)
    await until('it plays', at, (seconds) => seconds > 1)
  })
})
