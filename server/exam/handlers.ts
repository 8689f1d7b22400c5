import type { Contract } from '#src/contract/index.ts'
import { mayApply } from '#src/domain/exam.ts'
import type { Db } from '#server/db/open.ts'
import { type Handlers, Refusal } from '#server/http/handlers.ts'
import { apply, readExam, readExams } from './store.ts'

const GONE = '考试不存在或已下架'

export const examHandlers = (db: Db): Handlers<Contract['exam']> => ({
  list: (_, { scope, uid, now }) => readExams(db, scope, { uid, now }),
  async detail({ no }, { uid, now }) {
    const exam = await readExam(db, no, { uid, now })
    if (!exam) throw new Refusal(GONE)
    return exam
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
