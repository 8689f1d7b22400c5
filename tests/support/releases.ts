import { sql } from 'kysely'
import type { Question } from '#src/contract/question.ts'
import { contract } from '#src/contract/index.ts'
import { unstamped } from '#server/content/bank/versions.ts'
import type { TestServer } from './server.ts'

/** All of a library that a student can see, in its order, without versions, with what of its frame they cannot. */
export async function libraryState(server: TestServer, no: string) {
  const pack = await server.call(contract.question.pack, { no })
  const questions: [chapterNo: string, question: Question][] = []
  for (const { no: chapterNo, at, rev } of pack.blocks) {
    const block = await server.call(contract.question.block, { no: chapterNo, at })
    if (block.rev !== rev) throw new Error(`${chapterNo} ${at} is another in the pack`)
    questions.push(...block.questions.map((each): [string, Question] => [chapterNo, unstamped(each)]))
  }
  const frame = await sql`
    select l.subject_no, l.title, l.directions, l.areas, l.sets_only,
      (select json_agg(json_build_array(c.no, c.parent, c.title, c.position, c.total) order by c.position, c.no) from chapter c where c.library_no = l.no) as chapters,
      (select json_agg(json_build_array(p.no, p.parent, p.name, p.position) order by p.no) from point p where starts_with(p.no, l.no || '_')) as points
    from library l where l.no = ${no}`.execute(server.db)
  return { title: pack.title, total: pack.total, chapters: pack.chapters, questions, frame: frame.rows }
}
