import type { Blueprint } from '#server/content/blueprint.ts'
import type { ExamFileInput } from '#server/content/examFile.ts'

type DemoExam = Omit<ExamFileInput, 'format' | 'sections' | 'no' | 'title' | 'minutes' | 'partial' | 'full'> & {
  /** The library that its questions come from. */
  library: string
  paper: Blueprint
  /** Made-up ones, for its ranking. */
  participants?: number
}
const SAMPLE = '<p><b>仿真样例</b>：由本站自编的题目按题型组卷，不是真题。题型、分值以当年官方大纲、公告为准。</p>'
const RULES = '<p>开考后计时不停，退出、断网、关机都照走；没有网络也能答完并交卷，联网后自动上报。</p>'

/** Sample exams, made of the demo libraries by blueprint: one that is always open, one under way, one to come, one that is over. */
export const demoExams: DemoExam[] = [
  {
    library: 'L_math',
    kind: 'mock',
    intro: `${SAMPLE}${RULES}`,
    directions: ['jg', 'js', 'zsb', 'wz_sx'],
    paper: {
      no: 'X_math',
      title: '数学全真模考（随时可考）',
      minutes: 90,
      partial: 'none',
      full: 100,
      sections: [
        { title: '一、单项选择题', note: '每小题 5 分，只有一项符合要求。', type: 'single', count: 14, score: 5 },
        { title: '二、填空题', note: '每小题 4 分。', type: 'blank', count: 4, score: 4 },
        { title: '三、解答题', note: '写出推演过程，交卷后对照采分点自评。', type: 'essay', count: 1, score: 14 },
      ],
    },
  },
  {
    library: 'L_politics',
    kind: 'mock',
    intro: `${SAMPLE}${RULES}<p>多选少选得一半，错选不得分。</p>`,
    directions: ['jg', 'js', 'zsb', 'tg'],
    startsAt: '2026-11-01 00:00',
    endsAt: '2027-11-01 00:00',
    rankClosesAt: '2027-11-02 00:00',
    paper: {
      no: 'X_politics',
      title: '军政基础统一模考',
      minutes: 100,
      partial: 'half',
      full: 84,
      sections: [
        { title: '一、单项选择题', note: '每小题 1.5 分。', type: 'single', count: 20, score: 1.5 },
        {
          title: '二、多项选择题',
          note: '每小题 2 分，少选得一半，错选不得分。',
          type: 'multiple',
          count: 8,
          score: 2,
        },
        { title: '三、判断题', note: '每小题 1 分。', type: 'judge', count: 10, score: 1 },
        { title: '四、简答题', note: '每小题 8 分，交卷后对照采分点自评。', type: 'essay', count: 2, score: 8 },
        { title: '五、材料题', note: '每小题 3 分。', type: 'composite', count: 4, score: 3 },
      ],
    },
  },
  {
    library: 'L_english',
    kind: 'mock',
    intro: `${SAMPLE}${RULES}`,
    directions: ['jg', 'js', 'zsb'],
    price: 990,
    vip: true,
    startsAt: '2027-05-16 09:00',
    endsAt: '2027-05-16 12:00',
    rankClosesAt: '2027-05-16 20:00',
    paper: {
      no: 'X_english',
      title: '英语考前冲刺模考',
      minutes: 60,
      partial: 'none',
      full: 60,
      sections: [
        { title: '一、语法与词汇', note: '每小题 1.5 分。', type: 'single', count: 12, score: 1.5 },
        { title: '二、完形与阅读', note: '每小题 3 分。', type: 'composite', count: 14, score: 3 },
      ],
    },
  },
  {
    library: 'L_wz_public',
    kind: 'mock',
    intro: `${SAMPLE}${RULES}<p>有 0.5 分题。</p>`,
    directions: ['wz_gg', 'wz_gl', 'wz_sx', 'wz_jsj'],
    startsAt: '2026-10-18 09:00',
    endsAt: '2026-10-18 11:00',
    rankClosesAt: '2026-10-18 20:00',
    participants: 2_000,
    paper: {
      no: 'X_wz_public',
      title: '公共科目秋季模考',
      minutes: 50,
      partial: 'none',
      full: 40,
      sections: [
        { title: '一、判断题', note: '每小题 0.5 分。', type: 'judge', count: 6, score: 0.5 },
        {
          title: '二、多项选择',
          note: '每小题 1.5 分，多选、少选、错选均不得分。',
          type: 'multiple',
          count: 6,
          score: 1.5,
        },
        { title: '三、单项选择', note: '每小题 1 分。', type: 'single', count: 23, score: 1 },
        { title: '四、资料分析', note: '每小题 1 分。', type: 'composite', count: 5, score: 1 },
      ],
    },
  },
]
