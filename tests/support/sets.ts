import { checkSet, type SetFileInput, writeCheckedSet } from '#server/content/publish/setFile.ts'
import type { Db } from '#server/db/open.ts'
import type { SetWritten } from '#server/questionSet/store.ts'

/** A set in the project's own JSON: papers of sections of question numbers, each question or sub-question 1.5 marks. */
export const setJson = ({ no, papers }: { no: string; papers: string[][][] }): SetFileInput => ({
  format: 'lijian-set/1',
  no,
  title: `${no} 仿真卷`,
  kind: 'mock',
  intro: '仿真样例',
  items: papers.map((sections, i) => ({
    no: `${no}_${i + 1}`,
    title: `第${i + 1}套`,
    minutes: 60,
    partial: 'half',
    sections: sections.map((questions, s) => ({
      title: `第${s + 1}大题`,
      note: '每小题 1.5 分',
      questions: questions.map((question) => ({ no: question, score: 1.5 })),
    })),
  })),
})

/** Publishes a set the way an operator does: checked, all or nothing. */
export async function publish(db: Db, json: unknown): Promise<SetWritten> {
  return db.transaction().execute(async (tx) => writeCheckedSet(tx, await checkSet(tx, 'set.json', json)))
}
