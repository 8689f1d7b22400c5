import { sql } from 'kysely'
import type { Window } from '#src/contract/exam.ts'
import type { PaperSection } from '#src/contract/questionSet.ts'
import { seeded } from '#src/domain/question/shuffle.ts'
import { scoredParts } from '#src/domain/paper/paper.ts'
import type { Tx } from '#server/db/open.ts'
import { type RankedScore, writeScores } from '#server/exam/ranking.ts'
import { type ExamRow, readPublished } from '#server/exam/store.ts'

const SURNAMES = '王李张刘陈杨黄赵吴周徐孙马朱胡郭何林罗高梁郑谢宋唐许韩冯邓曹彭曾肖田董潘袁蔡蒋余'
const GIVEN = '伟强磊军洋勇杰涛明超亮刚平辉鹏飞鑫波斌宇浩凯健俊帆博文志国建海龙华永思远子昂泽'

/**
 * Made-up students who took a demo exam that is over, each with marks of a sitting that could have been: a made-up ability
 * against each question. They have no mobile that anybody could log in with. Where real ones alone are in its ranking it does
 * nothing; where the paper has become another one since, the made-up ones have sat that.
 */
export async function writeParticipants(tx: Tx, no: string, count: number): Promise<void> {
  const exam = await readPublished(tx, no)
  if (!exam?.window) return
  const people = madeUp(exam, count)
  const before = await tx.selectFrom('exam_entry').select('uid').where('exam_no', '=', no).executeTakeFirst()
  if (!before) await enrol(tx, no, exam.window, people)
  const sitting = before ? await leaveOlder(tx, exam, people) : new Set(people.map(({ uid }) => uid))
  await writeScores(
    tx,
    people.flatMap(({ uid, score }) => (sitting.has(uid) ? [score] : [])),
  )
}

interface Person {
  uid: string
  nickname: string
  score: RankedScore
}

function madeUp({ no, rev, minutes, body }: ExamRow, count: number): Person[] {
  // Checked when it was published.
  const sections: PaperSection[] = JSON.parse(body)
  const random = seeded(no)
  return Array.from({ length: count }, (_, i) => ({
    uid: `demo_${no}_${i + 1}`,
    nickname: [SURNAMES, GIVEN, GIVEN].map((from) => from[Math.floor(random() * from.length)]).join(''),
    score: sat(no, rev, sections, { uid: `demo_${no}_${i + 1}`, minutes, random }),
  }))
}

async function enrol(tx: Tx, no: string, window: Window, people: readonly Person[]): Promise<void> {
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
    ), consented as (
      insert into consent (uid, kind, given, at, device) select uid, 'rankName', true, ${window.from}, '' from enrolled
    )
    insert into exam_entry (exam_no, uid, attempt_id, handed_at) select ${no}, uid, uid, ${window.to} from enrolled`.execute(
    tx,
  )
}

/**
 * Takes the made-up marks of an older paper out of what is counted. What is told of its sections stays as long as a real student
 * has sat it: that is in their report.
 * @returns whose marks they were; none when these are of the paper that the exam has.
 */
async function leaveOlder(tx: Tx, { no, rev }: ExamRow, people: readonly Person[]): Promise<ReadonlySet<string>> {
  // Nothing else is counted meanwhile.
  await sql`lock table exam_tally in share row exclusive mode`.execute(tx)
  const uids = people.map(({ uid }) => uid)
  const marks = sql`(select score, count(*)::int as n from exam_entry
    where exam_no = ${no} and uid = any(${uids}::text[]) and score is not null group by score)`
  // Entries do not say of which paper they are: it is the one where all of these are counted.
  const { rows } = await sql<{ rev: string }>`
    with made_up as ${marks}
    select t.rev from exam_tally t join made_up m on m.score = t.score and m.n <= t.n
    where t.exam_no = ${no} and t.part = 0 group by t.rev having count(*) = (select count(*) from made_up)
    order by t.rev = ${rev} desc limit 1`.execute(tx)
  const [sat] = rows
  if (!sat || sat.rev === rev) return new Set()
  await sql`update exam_tally t set n = t.n - m.n from ${marks} m
    where t.exam_no = ${no} and t.rev = ${sat.rev} and t.part = 0 and t.score = m.score`.execute(tx)
  await sql`delete from exam_tally t where exam_no = ${no} and rev = ${sat.rev} and (n = 0 or not exists (
    select from exam_tally w where w.exam_no = t.exam_no and w.rev = t.rev and w.part = 0 and w.n > 0))`.execute(tx)
  const left = tx.selectFrom('exam_entry').select('uid').where('exam_no', '=', no).where('uid', 'in', uids)
  return new Set((await left.where('score', 'is not', null).execute()).map(({ uid }) => uid))
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
    late: false,
  }
}
