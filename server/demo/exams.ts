import type { Blueprint } from '#server/content/publish/blueprint.ts'
import type { ExamFileInput } from '#server/content/publish/examFile.ts'
import { ENGLISH_EXAM, MATHS, POLITICS_AND_MILITARY_EXAM, WENZHI } from './blueprints.ts'

type DemoExam = Omit<ExamFileInput, 'format' | 'sections' | 'no' | 'title' | 'minutes' | 'partial' | 'full'> & {
  /** The libraries that its questions come from. */
  libraries: string[]
  paper: Blueprint
  /** Made-up ones, for its ranking. */
  participants?: number
}
const SAMPLE = '<p><b>仿真样例</b>：由本站自编的题目按题型组卷，不是真题。题型、分值以当年官方大纲、公告为准。</p>'
const RULES = '<p>开考后，退出、断网或关机，计时都不会停；没有网络也能答完并交卷，联网后自动上传。</p>'

/**
 * Sample exams, filled by blueprint: one that is always open, one under way, one to come, of questions that stand nowhere else; and
 * one that is over, whose key is out.
 */
export const demoExams: DemoExam[] = [
  {
    libraries: ['L_math_exam'],
    kind: 'mock',
    intro: `${SAMPLE}${RULES}`,
    directions: ['jg', 'js', 'zsb', 'wz_sx'],
    paper: { no: 'X_math', title: '数学全真模考（随时可考）', ...MATHS },
  },
  {
    libraries: ['L_politics_exam', 'L_military_exam'],
    kind: 'mock',
    intro: `${SAMPLE}${RULES}<p>多选少选得一半，错选不得分。</p>`,
    directions: ['jg', 'js', 'zsb', 'tg'],
    startsAt: '2026-11-01 00:00',
    endsAt: '2027-11-01 00:00',
    rankClosesAt: '2027-11-02 00:00',
    paper: { no: 'X_politics', title: '军政知识综合统一模考', ...POLITICS_AND_MILITARY_EXAM },
  },
  {
    libraries: ['L_english_exam', 'L_english_exam_listening'],
    kind: 'mock',
    intro: `${SAMPLE}${RULES}<p>含听力：录音随试卷一起下载，之后没有网络也能听；请备好耳机。</p>`,
    directions: ['jg', 'js', 'zsb'],
    price: 990,
    vip: true,
    startsAt: '2027-05-16 09:00',
    endsAt: '2027-05-16 12:00',
    rankClosesAt: '2027-05-16 20:00',
    paper: { no: 'X_english', title: '英语考前冲刺模考', ...ENGLISH_EXAM },
  },
  {
    libraries: ['L_wz_public'],
    kind: 'mock',
    intro: `${SAMPLE}${RULES}<p>有 0.5 分题。</p>`,
    directions: ['wz_gg', 'wz_gl', 'wz_sx', 'wz_jsj'],
    startsAt: '2026-10-18 09:00',
    endsAt: '2026-10-18 11:00',
    rankClosesAt: '2026-10-18 20:00',
    participants: 2_000,
    paper: { no: 'X_wz_public', title: '公共科目秋季模考', ...WENZHI },
  },
]
