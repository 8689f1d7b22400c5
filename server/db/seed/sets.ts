import type { Blueprint } from '#server/content/blueprint.ts'
import type { SetFile } from '#server/content/setFile.ts'

type DemoSet = Omit<SetFile, 'format' | 'items' | 'areas'> & {
  /** The library that its questions come from. */
  library: string
  papers: Blueprint[]
}
const SAMPLE = '<p><b>仿真样例</b>：由本站自编的题目按题型组卷，不是真题。题型、分值以当年官方大纲、公告为准。</p>'

const maths = (no: string, title: string): Blueprint => ({
  no,
  title,
  minutes: 90,
  partial: 'none',
  full: 100,
  sections: [
    { title: '一、单项选择题', note: '每小题 5 分，只有一项符合要求。', type: 'single', count: 14, score: 5 },
    { title: '二、填空题', note: '每小题 4 分。', type: 'blank', count: 4, score: 4 },
    { title: '三、解答题', note: '写出推演过程，交卷后对照采分点自评。', type: 'essay', count: 1, score: 14 },
  ],
})

/** Sample papers, made of the demo libraries by blueprint. Where a library has too few of a type the introduction says so. */
export const demoSets: DemoSet[] = [
  {
    no: 'S_math',
    title: '士兵考学数学仿真卷',
    kind: 'mock',
    library: 'L_math',
    intro: `${SAMPLE}<p>正式考试满分 150 分；题库里的解答题还不够，按比例缩成 100 分：单选 14×5，填空 4×4，解答 1×14。两套卷没有相同的题。</p>`,
    directions: ['jg', 'js', 'zsb', 'wz_sx'],
    price: 0,
    vip: false,
    trial: 10,
    papers: [maths('S_math_1', '数学仿真卷（一）'), maths('S_math_2', '数学仿真卷（二）')],
  },
  {
    no: 'S_politics',
    title: '军政基础政治仿真卷',
    kind: 'mock',
    library: 'L_politics',
    intro: `${SAMPLE}<p>满分 100 分：单选 20×1.5，多选 10×2，判断 10×1，填空 6×2，简答 2×8，材料 4×3。多选少选得一半，错选不得分。</p>`,
    directions: ['jg', 'js', 'zsb', 'tg'],
    price: 0,
    vip: false,
    trial: 10,
    papers: [
      {
        no: 'S_politics_1',
        title: '政治仿真卷（一）',
        minutes: 120,
        partial: 'half',
        full: 100,
        sections: [
          { title: '一、单项选择题', note: '每小题 1.5 分。', type: 'single', count: 20, score: 1.5 },
          {
            title: '二、多项选择题',
            note: '每小题 2 分，少选得一半，错选不得分。',
            type: 'multiple',
            count: 10,
            score: 2,
          },
          { title: '三、判断题', note: '每小题 1 分。', type: 'judge', count: 10, score: 1 },
          { title: '四、填空题', note: '每小题 2 分。', type: 'blank', count: 6, score: 2 },
          { title: '五、简答题', note: '每小题 8 分，交卷后对照采分点自评。', type: 'essay', count: 2, score: 8 },
          { title: '六、材料题', note: '每小题 3 分。', type: 'composite', count: 4, score: 3 },
        ],
      },
    ],
  },
  {
    no: 'S_wz_public',
    title: '文职公共科目仿真卷',
    kind: 'mock',
    library: 'L_wz_public',
    intro: `${SAMPLE}<p>按公布的题型和每题分值编排；正式考试 110 题 100 分，题库题量不够，这一套为 52 题 60 分，有 0.5 分题。</p>`,
    directions: ['wz_gg', 'wz_gl', 'wz_sx', 'wz_jsj'],
    price: 0,
    vip: false,
    trial: 10,
    papers: [
      {
        no: 'S_wz_public_1',
        title: '公共科目仿真卷（一）',
        minutes: 60,
        partial: 'none',
        full: 60,
        sections: [
          {
            title: '一、基本知识·单选',
            note: '每小题 0.5 分。',
            type: 'single',
            count: 6,
            score: 0.5,
            chapters: ['L_wz_public_5'],
          },
          { title: '二、基本知识·判断', note: '每小题 0.5 分。', type: 'judge', count: 5, score: 0.5 },
          {
            title: '三、多项选择',
            note: '每小题 1.5 分，多选、少选、错选均不得分。',
            type: 'multiple',
            count: 6,
            score: 1.5,
          },
          { title: '四、不定项选择', note: '每小题 1.5 分。', type: 'indefinite', count: 3, score: 1.5 },
          {
            title: '五、言语理解',
            note: '每小题 1 分。',
            type: 'single',
            count: 6,
            score: 1,
            chapters: ['L_wz_public_1'],
          },
          {
            title: '六、数量关系',
            note: '每小题 1.5 分。',
            type: 'single',
            count: 9,
            score: 1.5,
            chapters: ['L_wz_public_2'],
          },
          {
            title: '七、判断推理',
            note: '每小题 1.5 分。',
            type: 'single',
            count: 9,
            score: 1.5,
            chapters: ['L_wz_public_3'],
          },
          { title: '八、资料分析', note: '每小题 1 分。', type: 'composite', count: 5, score: 1 },
          {
            title: '九、概念与速算',
            note: '每小题 1 分。',
            type: 'single',
            count: 3,
            score: 1,
            chapters: ['L_wz_public_4'],
          },
        ],
      },
    ],
  },
  {
    no: 'S_english',
    title: '英语语法与阅读专项',
    kind: 'special',
    library: 'L_english_set',
    intro: `${SAMPLE}<p>满分 40 分：语法、词汇与交际单选 15×2，阅读 4×2.5。这些题只在这套卷里；先免费试做 10 题，其余购买后可做。</p>`,
    directions: ['jg', 'js', 'zsb'],
    price: 1990,
    vip: true,
    trial: 10,
    papers: [
      {
        no: 'S_english_1',
        title: '英语专项卷（一）',
        minutes: 30,
        partial: 'none',
        full: 40,
        sections: [
          { title: '一、单项选择', note: '每小题 2 分。', type: 'single', count: 15, score: 2 },
          { title: '二、阅读理解', note: '每小题 2.5 分。', type: 'composite', count: 4, score: 2.5 },
        ],
      },
    ],
  },
]
