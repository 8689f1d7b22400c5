import type { Contract } from '#src/contract/index.ts'
import { examState, mayApply } from '#src/domain/exam.ts'
import type { Db } from '#server/db/open.ts'
import { type Handlers, Ready, Refusal } from '#server/http/handlers.ts'
import { markSitting } from './marking.ts'
import { rankOf, rankSome, reportOf } from './ranking.ts'
import { apply, type HandedIn, readExam, readExams, readHandedIn, readPaper, readSections } from './store.ts'

/** A sitting whose key may be known. */
async function released(db: Db, uid: string, attemptId: string, now: number): Promise<HandedIn> {
  const handed = await readHandedIn(db, uid, attemptId)
  if (!handed) throw new Refusal('还没有收到这次考试的交卷')
  if (handed.window && examState(handed, now) !== 'over') throw new Refusal('考试结束后公布成绩与解析')
  return handed
}

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
    const handed = await released(db, uid, attemptId, now)
    const { no, rev, partial } = handed
    const sections = await readSections(db, no, rev)
    return { attemptId, no, rev, partial, sections, ...markSitting(handed, sections) }
  },
  async report({ attemptId }, { uid, now }) {
    const handed = await released(db, uid, attemptId, now)
    await rankSome(db, uid)
    const sections = await readSections(db, handed.no, handed.rev)
    const { score } = markSitting(handed, sections).earned
    return reportOf(db, attemptId, handed, { score, sections: sections.length }, now)
  },
  async rank({ no }, { uid, now }) {
    const exam = await readExam(db, no, { uid, now })
    if (!exam) throw new Refusal(GONE)
    if (exam.window && examState(exam, now) !== 'over') throw new Refusal('考试结束后公布排名')
    if (uid !== null) await rankSome(db, uid)
    return rankOf(db, no, uid, now)
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
