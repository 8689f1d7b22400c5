import type { Blueprint } from '#server/content/publish/blueprint.ts'

type Sections = Blueprint['sections']
type Paper = Pick<Blueprint, 'minutes' | 'partial' | 'full' | 'sections'>

/**
 * What the demo's papers are made of. Full marks and the 文职 counts are those that are published; how a subject's marks are split
 * over types, and the minutes of 士兵考学, are samples, and each paper says so.
 */
const each = (score: number): string => `每小题 ${score} 分。`
const one = (score: number): string => `每小题 ${score} 分，只有一项符合要求。`
const some = (score: number): string => `每小题 ${score} 分，少选得一半，错选不得分。`
const WRITTEN = '写出推演过程，交卷后对照采分点自评。'
const ESSAYS = '交卷后对照采分点自评。'

/** 数学 150. */
export const MATHS: Paper = {
  minutes: 150,
  partial: 'none',
  full: 150,
  sections: [
    { title: '一、单项选择题', note: one(5), type: 'single', count: 10, score: 5 },
    { title: '二、填空题', note: each(5), type: 'blank', count: 6, score: 5 },
    { title: '三、解答题', note: `每小题 14 分。${WRITTEN}`, type: 'essay', count: 5, score: 14 },
  ],
}

/** 语文 150. */
export const CHINESE: Paper = {
  minutes: 150,
  partial: 'none',
  full: 150,
  sections: [
    { title: '一、语言文字运用', note: one(3), type: 'single', count: 8, score: 3, chapters: ['L_chinese_1'] },
    { title: '二、文言文阅读', note: each(3), type: 'composite', count: 6, score: 3, chapters: ['L_chinese_2'] },
    { title: '三、古代诗歌鉴赏', note: each(2), type: 'composite', count: 5, score: 2, chapters: ['L_chinese_3'] },
    { title: '四、名篇名句默写', note: '每空 1 分。', type: 'blank', count: 8, score: 1, chapters: ['L_chinese_4'] },
    { title: '五、现代文阅读', note: each(3), type: 'composite', count: 10, score: 3, chapters: ['L_chinese_5'] },
    {
      title: '六、写作',
      note: `60 分，两个题目任选一题。${ESSAYS}`,
      type: 'essay',
      count: 1,
      score: 60,
      chapters: ['L_chinese_7'],
    },
  ],
}

const GRAMMAR = ['L_english_1', 'L_english_2', 'L_english_3']
/** 英语 100. */
export const ENGLISH: Paper = {
  minutes: 120,
  partial: 'none',
  full: 100,
  sections: [
    { title: '一、语法与词汇', note: one(1), type: 'single', count: 20, score: 1, chapters: GRAMMAR },
    { title: '二、完形填空', note: each(1), type: 'composite', count: 20, score: 1, chapters: ['L_english_4'] },
    { title: '三、阅读理解', note: each(2), type: 'composite', count: 20, score: 2, chapters: ['L_english_5'] },
    {
      title: '四、书面表达',
      note: `20 分。${ESSAYS}`,
      type: 'essay',
      count: 1,
      score: 20,
      chapters: ['L_english_6'],
    },
  ],
}
/** A part that is heard. Its recordings are of our own making, and as long as the student likes to hear them. */
interface ListeningFrom {
  short: string[]
  long: string[]
}
const REPLAY = '录音可以反复播放。'
const listening = (
  { short, long }: ListeningFrom,
  counts: { short: number; long: number },
  score: number,
): Sections => [
  {
    title: '一、听力：短对话',
    note: `${one(score)}${REPLAY}`,
    type: 'single',
    count: counts.short,
    score,
    chapters: short,
  },
  {
    title: '二、听力：长对话与独白',
    note: `${each(score)}${REPLAY}`,
    type: 'composite',
    count: counts.long,
    score,
    chapters: long,
  },
]
/** 英语听力 28. */
export const ENGLISH_LISTENING: Paper = {
  minutes: 20,
  partial: 'none',
  full: 28,
  sections: listening({ short: ['L_english_listening_1'], long: ['L_english_listening_2'] }, { short: 11, long: 3 }, 2),
}
/**
 * 英语 100 with a part that is heard, which takes half of the marks for grammar. Of questions that are nowhere else: until its results
 * nobody else reads them.
 */
export const ENGLISH_EXAM: Paper = {
  minutes: 120,
  partial: 'none',
  full: 100,
  sections: [
    ...listening(
      { short: ['L_english_exam_listening_1'], long: ['L_english_exam_listening_2'] },
      { short: 7, long: 3 },
      1,
    ),
    { title: '三、语法与词汇', note: one(0.5), type: 'single', count: 20, score: 0.5, chapters: ['L_english_exam_1'] },
    { title: '四、完形填空', note: each(1), type: 'composite', count: 20, score: 1, chapters: ['L_english_exam_2'] },
    { title: '五、阅读理解', note: each(2), type: 'composite', count: 20, score: 2, chapters: ['L_english_exam_3'] },
    {
      title: '六、书面表达',
      note: `20 分。${ESSAYS}`,
      type: 'essay',
      count: 1,
      score: 20,
      chapters: ['L_english_exam_4'],
    },
  ],
}

const POLITICS = [1, 2, 3, 4, 5].map((chapter) => `L_politics_${chapter}`)
const MILITARY = [1, 2, 3, 4, 5, 6].map((chapter) => `L_military_${chapter}`)
/** Chapters of questions with a key and short answers, and of the long one at the end. */
interface From {
  short: string[]
  long: string[]
}
const politics = ({ short, long }: From): Sections => [
  { title: '政治一、单项选择题', note: one(1), type: 'single', count: 20, score: 1, chapters: short },
  { title: '政治二、多项选择题', note: some(2), type: 'multiple', count: 10, score: 2, chapters: short },
  { title: '政治三、简答题', note: `每小题 8 分。${ESSAYS}`, type: 'essay', count: 2, score: 8, chapters: short },
  {
    title: '政治四、材料分析题',
    note: `14 分。${ESSAYS}`,
    type: 'essay',
    count: 1,
    score: 14,
    chapters: long,
  },
]
const military = ({ short, long }: From): Sections => [
  { title: '军事一、单项选择题', note: one(1), type: 'single', count: 20, score: 1, chapters: short },
  { title: '军事二、多项选择题', note: some(2), type: 'multiple', count: 10, score: 2, chapters: short },
  { title: '军事三、判断题', note: each(1), type: 'judge', count: 10, score: 1, chapters: short },
  { title: '军事四、简答题', note: `每小题 8 分。${ESSAYS}`, type: 'essay', count: 2, score: 8, chapters: short },
  { title: '军事五、论述题', note: `14 分。${ESSAYS}`, type: 'essay', count: 1, score: 14, chapters: long },
]
const politicsAndMilitary = (ofPolitics: From, ofMilitary: From): Paper => ({
  minutes: 150,
  partial: 'half',
  full: 150,
  sections: [...politics(ofPolitics), ...military(ofMilitary)],
})
/** 军政知识综合 150: 政治 70, 军事 80. */
export const POLITICS_AND_MILITARY = politicsAndMilitary(
  { short: POLITICS, long: ['L_politics_7'] },
  { short: MILITARY, long: ['L_military_7'] },
)
/** Of questions that are nowhere else: until its results nobody else reads them. */
export const POLITICS_AND_MILITARY_EXAM = politicsAndMilitary(
  { short: ['L_politics_exam_1'], long: ['L_politics_exam_2'] },
  { short: ['L_military_exam_1'], long: ['L_military_exam_2'] },
)

/** 科学知识综合 200: 物理 80, 化学 70, 历史 50. */
export const SCIENCE: Paper = {
  minutes: 150,
  partial: 'none',
  full: 200,
  sections: [
    { title: '物理一、单项选择题', note: one(4), type: 'single', count: 8, score: 4, chapters: ['L_physics'] },
    { title: '物理二、填空题', note: each(4), type: 'blank', count: 6, score: 4, chapters: ['L_physics'] },
    {
      title: '物理三、计算题',
      note: `每小题 12 分。${WRITTEN}`,
      type: 'essay',
      count: 2,
      score: 12,
      chapters: ['L_physics'],
    },
    { title: '化学一、单项选择题', note: one(3), type: 'single', count: 10, score: 3, chapters: ['L_chemistry'] },
    { title: '化学二、填空题', note: each(4), type: 'blank', count: 5, score: 4, chapters: ['L_chemistry'] },
    {
      title: '化学三、实验与计算题',
      note: `每小题 10 分。${WRITTEN}`,
      type: 'essay',
      count: 2,
      score: 10,
      chapters: ['L_chemistry_6'],
    },
    { title: '历史一、单项选择题', note: one(2), type: 'single', count: 15, score: 2, chapters: ['L_history'] },
    { title: '历史二、材料题', note: each(2), type: 'composite', count: 10, score: 2, chapters: ['L_history_5'] },
  ],
}

const KNOWLEDGE = ['L_wz_public_5', 'L_wz_public_6']
/** 军队文职公共科目: 110 questions, 100 marks, 120 minutes. 基本知识 60 for 40, 岗位能力 50 for 60. */
export const WENZHI: Paper = {
  minutes: 120,
  partial: 'none',
  full: 100,
  sections: [
    { title: '基本知识一、单项选择', note: one(0.5), type: 'single', count: 50, score: 0.5, chapters: KNOWLEDGE },
    {
      title: '基本知识二、多项选择',
      note: '每小题 1.5 分，多选、少选、错选均不得分。',
      type: 'multiple',
      count: 6,
      score: 1.5,
      chapters: KNOWLEDGE,
    },
    {
      title: '基本知识三、系列单选',
      note: each(1.5),
      type: 'composite',
      count: 4,
      score: 1.5,
      chapters: ['L_wz_public_7'],
    },
    { title: '岗位能力一、言语理解', note: one(1), type: 'single', count: 20, score: 1, chapters: ['L_wz_public_1'] },
    {
      title: '岗位能力二、数量关系',
      note: one(1.5),
      type: 'single',
      count: 10,
      score: 1.5,
      chapters: ['L_wz_public_2'],
    },
    {
      title: '岗位能力三、判断推理',
      note: one(1.5),
      type: 'single',
      count: 10,
      score: 1.5,
      chapters: ['L_wz_public_3'],
    },
    {
      title: '岗位能力四、资料分析',
      note: each(1),
      type: 'composite',
      count: 10,
      score: 1,
      chapters: ['L_wz_public_4'],
    },
  ],
}

const TECHNOLOGY = ['L_tg_1']
const REASONING = ['L_tg_2']
const PROFESSION = ['L_tg_3']
/** 提干 750 in one paper of three hours: 科技知识 200, 分析推理 200, 军事 100, 政治 100, 职业知识 80, 综合运用 70. */
export const TIGAN: Paper = {
  minutes: 180,
  partial: 'half',
  full: 750,
  sections: [
    { title: '科技知识一、单项选择', note: one(5), type: 'single', count: 25, score: 5, chapters: TECHNOLOGY },
    { title: '科技知识二、判断', note: each(3), type: 'judge', count: 15, score: 3, chapters: TECHNOLOGY },
    { title: '科技知识三、填空', note: each(5), type: 'blank', count: 6, score: 5, chapters: TECHNOLOGY },
    { title: '分析推理一、单项选择', note: one(6), type: 'single', count: 20, score: 6, chapters: REASONING },
    { title: '分析推理二、资料分析', note: each(5), type: 'composite', count: 8, score: 5, chapters: REASONING },
    {
      title: '分析推理三、推理题',
      note: `每小题 20 分。${WRITTEN}`,
      type: 'essay',
      count: 2,
      score: 20,
      chapters: REASONING,
    },
    { title: '军事一、单项选择', note: one(3), type: 'single', count: 20, score: 3, chapters: MILITARY },
    { title: '军事二、多项选择', note: some(4), type: 'multiple', count: 5, score: 4, chapters: MILITARY },
    { title: '军事三、判断', note: each(2), type: 'judge', count: 10, score: 2, chapters: MILITARY },
    { title: '政治一、单项选择', note: one(3), type: 'single', count: 20, score: 3, chapters: POLITICS },
    { title: '政治二、多项选择', note: some(4), type: 'multiple', count: 5, score: 4, chapters: POLITICS },
    { title: '政治三、判断', note: each(2), type: 'judge', count: 10, score: 2, chapters: POLITICS },
    { title: '职业知识一、单项选择', note: one(3), type: 'single', count: 16, score: 3, chapters: PROFESSION },
    { title: '职业知识二、判断', note: each(2), type: 'judge', count: 8, score: 2, chapters: PROFESSION },
    { title: '职业知识三、多项选择', note: some(4), type: 'multiple', count: 4, score: 4, chapters: PROFESSION },
    {
      title: '综合运用一、论述',
      note: `每小题 20 分。${ESSAYS}`,
      type: 'essay',
      count: 2,
      score: 20,
      chapters: ['L_tg_4_1'],
    },
    {
      title: '综合运用二、综合题',
      note: `30 分。${ESSAYS}`,
      type: 'essay',
      count: 1,
      score: 30,
      chapters: ['L_tg_4_2'],
    },
  ],
}
