import { sql } from 'kysely'
import type { PaperSection } from '#src/contract/questionSet.ts'
import { seeded } from '#src/domain/shuffle.ts'
import { scoredParts } from '#src/domain/paper.ts'
import type { Tx } from '#server/db/open.ts'
import { type RankedScore, writeScores } from '#server/exam/ranking.ts'
import { readPublished } from '#server/exam/store.ts'

const SURNAMES = '王李张刘陈杨黄赵吴周徐孙马朱胡郭何林罗高梁郑谢宋唐许韩冯邓曹彭曾肖田董潘袁蔡蒋余'
const GIVEN = '伟强磊军洋勇杰涛明超亮刚平辉鹏飞鑫波斌宇浩凯健俊帆博文志国建海龙华永思远子昂泽'

/**
 * Made-up students who took a demo exam that is over, each with marks of a sitting that could have been: a made-up ability
 * against each question. They have no mobile that anybody could log in with. Does nothing where somebody is ranked already.
 */
export async function writeParticipants(tx: Tx, no: string, count: number): Promise<void> {
  const exam = await readPublished(tx, no)
  const before = await tx.selectFrom('exam_entry').select('uid').where('exam_no', '=', no).executeTakeFirst()
  if (!exam?.window || before) return
  const { window, rev, minutes } = exam
  // Checked when it was published.
  const sections: PaperSection[] = JSON.parse(exam.body)
  const random = seeded(no)
  const people = Array.from({ length: count }, (_, i) => ({
    uid: `demo_${no}_${i + 1}`,
    nickname: [SURNAMES, GIVEN, GIVEN].map((from) => from[Math.floor(random() * from.length)]).join(''),
    score: sat(no, rev, sections, { uid: `demo_${no}_${i + 1}`, minutes, random }),
  }))
  await sql`
    with people as (
      select * from json_to_recordset(${JSON.stringify(people)}::json) as t(uid text, nickname text)
    ), enrolled as (
      insert into student (uid, mobile, nickname, portrait, created_at)
      select uid, uid, nickname, '', ${window.from} from people on conflict do nothing returning uid
    ), applied as (
      insert into exam_apply (exam_no, uid, at) select ${no}, uid, ${window.from} from enrolled
    ), counted as (
      update exam set apply_count = apply_count + (select count(*) from enrolled) where no = ${no}
    )
    insert into exam_entry (exam_no, uid, attempt_id, handed_at) select ${no}, uid, uid, ${window.to} from enrolled`.execute(
    tx,
  )
  await writeScores(
    tx,
    people.map(({ score }) => score),
  )
}

interface Participant {
  uid: string
  minutes: number
  random: () => number
}

function sat(
  examNo: string,
  rev: string,
  sections: readonly PaperSection[],
  { uid, minutes, random }: Participant,
): RankedScore {
  // The mean of three throws: most are in the middle.
  const ability = (random() + random() + random()) / 3
  const marks = sections.map(({ entries }) =>
    entries
      .flatMap(scoredParts)
      .filter(({ part }) => part.type !== 'essay')
      .map(({ full, part }) => (random() < 0.3 + ability * 0.65 - part.difficulty * 0.04 ? full : 0)),
  )
  const perSection = marks.map((each) => each.reduce((sum, score) => sum + score, 0))
  const score = perSection.reduce((sum, each) => sum + each, 0)
  return {
    examNo,
    uid,
    rev,
    score,
    sections: perSection,
    elapsedMs: Math.round(minutes * 60_000 * (0.55 + 0.45 * random())),
  }
}
