import type { Contract } from '#src/contract/index.ts'
import { areResultsOut, examState, mayApply } from '#src/domain/paper/exam.ts'
import type { Db } from '#server/db/open.ts'
import { type Handlers, Refusal } from '#server/http/handlers.ts'
import { answerable } from '#server/http/answerable.ts'
import { markSitting } from './marking.ts'
import { rankOf, rankSome, reportOf } from './ranking.ts'
import {
  apply,
  type HandedIn,
  noteOpened,
  readExam,
  readExams,
  readHandedIn,
  readPaper,
  readSealKey,
  readSections,
} from './store.ts'
import { sealPaper } from './sealing.ts'

/** A sitting whose key may be known. */
async function released(db: Db, uid: string, attemptId: string, now: number): Promise<HandedIn> {
  const handed = await readHandedIn(db, uid, attemptId)
  if (!handed) throw new Refusal('还没有收到这次考试的交卷，请联网同步后再看')
  if (!areResultsOut(handed, now)) throw new Refusal('排名截止后公布成绩与解析')
  return handed
}

/** An exam and its paper, as ready JSON, for who has applied. */
async function appliedFor(db: Db, no: string, asker: { uid: string; now: number }) {
  const exam = await readExam(db, no, asker)
  if (!exam) throw new Refusal(GONE)
  if (!exam.applied) throw new Refusal('还没有报名这场考试，请先报名')
  const json = await readPaper(db, asker.uid, no)
  if (json === null) throw new Refusal(GONE)
  return { exam: { ...exam, no }, json }
}

const TOO_EARLY = '还没有开考，到时间再进入'
const GONE = '考试不存在或已下架，请返回看看其他考试'

export const examHandlers = (db: Db): Handlers<Contract['exam']> => ({
  list: (_, { scope, uid, now }) => readExams(db, scope, { uid, now }),
  async detail({ no }, { uid, now }) {
    const exam = await readExam(db, no, { uid, now })
    if (!exam) throw new Refusal(GONE)
    return exam
  },
  async paper({ no }, { uid, now, types }) {
    const { exam, json } = await appliedFor(db, no, { uid, now })
    if (examState(exam, now) === 'coming') throw new Refusal(TOO_EARLY)
    const paper = answerable(json, types)
    await noteOpened(db, no, uid, now)
    return paper
  },
  async sealed({ no }, { uid, now, types }) {
    const { exam, json } = await appliedFor(db, no, { uid, now })
    return sealPaper(exam, answerable(json, types).json, await readSealKey(db, exam))
  },
  async open({ no, rev }, { uid, now }) {
    const { exam } = await appliedFor(db, no, { uid, now })
    if (examState(exam, now) === 'coming') throw new Refusal(TOO_EARLY)
    if (exam.rev !== rev) throw new Refusal('试卷已更新，请重新下载')
    await noteOpened(db, no, uid, now)
    return { key: (await readSealKey(db, exam)).toString('base64') }
  },
  async key({ attemptId }, { uid, now }) {
    const handed = await released(db, uid, attemptId, now)
    const { no, rev, partial } = handed
    const sections = await readSections(db, no, rev)
    return { attemptId, no, rev, partial, sections, ...markSitting(handed, sections) }
  },
  async report({ attemptId }, { uid, now }) {
    // Of who looks at their report it is counted at once; another replica may be at it.
    await rankSome(db, now, uid)
    const handed = await released(db, uid, attemptId, now)
    const sections = await readSections(db, handed.no, handed.rev)
    return reportOf(db, attemptId, handed, sections, now)
  },
  async rank({ no }, { uid, now }) {
    const exam = await readExam(db, no, { uid, now })
    if (!exam) throw new Refusal(GONE)
    if (!areResultsOut(exam, now)) throw new Refusal('排名截止后公布排名')
    if (uid !== null) await rankSome(db, now, uid)
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
