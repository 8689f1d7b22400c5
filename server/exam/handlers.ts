import type { ExamKey } from '#src/contract/exam.ts'
import type { Contract } from '#src/contract/index.ts'
import type { PaperSection } from '#src/contract/questionSet.ts'
import { allowedMs, examState, isInTime, mayApply } from '#src/domain/exam.ts'
import { earnedBy } from '#src/domain/paper.ts'
import { partsOf } from '#src/domain/study.ts'
import type { Db } from '#server/db/open.ts'
import { type Handlers, Ready, Refusal } from '#server/http/handlers.ts'
import { apply, type HandedIn, readExam, readExams, readHandedIn, readPaper } from './store.ts'

const GONE = '考试不存在或已下架'

export const examHandlers = (db: Db): Handlers<Contract['exam']> => ({
  list: (_, { scope, uid, now }) => readExams(db, scope, { uid, now }),
  async detail({ no }, { uid, now }) {
    const exam = await readExam(db, no, { uid, now })
    if (!exam) throw new Refusal(GONE)
    return exam
  },
  async paper({ no }, { uid, now }) {
    const exam = await readExam(db, no, { uid, now })
    if (!exam) throw new Refusal(GONE)
    if (!exam.applied) throw new Refusal('还没有报名这场考试')
    if (examState(exam, now) === 'coming') throw new Refusal('还没有开考，到时间再进入')
    const json = await readPaper(db, uid, no)
    if (json === null) throw new Refusal(GONE)
    return new Ready(json)
  },
  async key({ attemptId }, { uid, now }) {
    const handed = await readHandedIn(db, uid, attemptId)
    if (!handed) throw new Refusal('还没有收到这次考试的交卷')
    if (handed.window && examState(handed, now) !== 'over') throw new Refusal('考试结束后公布成绩与解析')
    return keyOf(attemptId, handed)
  },
  async apply({ no }, { uid, now }) {
    const exam = await readExam(db, no, { uid, now })
    if (!exam) throw new Refusal(GONE)
    if (exam.applied) return { applyCount: exam.applyCount }
    if (!mayApply(exam, now)) throw new Refusal('考试已结束，不能再报名')
    if (!exam.open) throw new Refusal(`这场考试需要购买${exam.vip ? '或开通 VIP ' : ''}后报名`)
    return { applyCount: await apply(db, uid, no, now) }
  },
})

/** Marks a sitting by the paper that was on its screen: what was chosen too late gives nothing. */
function keyOf(attemptId: string, handed: HandedIn): ExamKey {
  const { no, rev, partial, attempt, choices } = handed
  // Checked when it was published.
  const sections: PaperSection[] = JSON.parse(handed.body)
  const allowed = attempt.mode === 'exam' ? allowedMs(handed, attempt.startedAt) : Number.POSITIVE_INFINITY
  const given = new Map(
    choices
      .filter(({ elapsedMs }) => isInTime(elapsedMs, allowed))
      .map(({ questionNo, response, spentMs }) => [questionNo, { questionNo, response, spentMs }]),
  )
  // Essays are the student's to mark.
  const essays = new Set(
    sections.flatMap(({ entries }) =>
      entries.flatMap(({ question }) =>
        partsOf(question).flatMap(({ type, no: each }) => (type === 'essay' ? [each] : [])),
      ),
    ),
  )
  const responses = new Map(
    [...given].flatMap(([questionNo, { response }]) => (essays.has(questionNo) ? [] : [[questionNo, response]])),
  )
  const earned = earnedBy({ partial, sections }, responses)
  return { attemptId, no, rev, partial, sections, earned, given: [...given.values()] }
}
