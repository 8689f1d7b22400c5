import { checkExam, type ExamFileInput, writeCheckedExam } from '#server/content/publish/examFile.ts'
import type { Db } from '#server/db/open.ts'
import type { Publication } from '#server/exam/store.ts'

/** An exam in the project's own JSON: sections of question numbers, each question or sub-question 0.5 marks; open at any time. */
export const examJson = ({ no, paper }: { no: string; paper: string[][] }): ExamFileInput => ({
  format: 'lijian-exam/1',
  no,
  title: `${no} 模考`,
  kind: 'mock',
  intro: '仿真样例',
  minutes: 60,
  partial: 'half',
  sections: paper.map((questions, s) => ({
    title: `第${s + 1}大题`,
    note: '每小题 0.5 分',
    questions: questions.map((question) => ({ no: question, score: 0.5 })),
  })),
})

/** Publishes an exam the way an operator does. @param now epoch ms; before every exam there is. */
export const publishExam = (db: Db, json: unknown, now = 0): Promise<Publication> =>
  db.transaction().execute(async (tx) => writeCheckedExam(tx, await checkExam(tx, 'exam.json', json, now)))
