import { checkTesting, type TestingFileInput, writeCheckedTesting } from '#server/content/publish/testingFile.ts'
import type { Db } from '#server/db/open.ts'
import type { Publication } from '#server/testing/store.ts'

/** A testing in the project's own JSON: sections of question numbers, each question or sub-question 1.5 marks; untimed. */
export const testingJson = ({ no, paper }: { no: string; paper: string[][] }): TestingFileInput => ({
  format: 'lijian-testing/1',
  no,
  title: `${no} 测验`,
  kind: 'unit',
  intro: '学完一章做',
  partial: 'half',
  sections: paper.map((questions, s) => ({
    title: `第${s + 1}部分`,
    questions: questions.map((question) => ({ no: question, score: 1.5 })),
  })),
})

/** Publishes a testing the way an operator does. */
export const publishTesting = (db: Db, json: unknown): Promise<Publication> =>
  db.transaction().execute(async (tx) => writeCheckedTesting(tx, await checkTesting(tx, 'testing.json', json)))
