import type { Blueprint } from '#server/content/publish/blueprint.ts'
import type { SetFile } from '#server/content/publish/setFile.ts'
import { CHINESE, ENGLISH, MATHS, POLITICS_AND_MILITARY, SCIENCE, TIGAN, WENZHI } from './blueprints.ts'

type DemoSet = Omit<SetFile, 'format' | 'items' | 'areas'> & {
  /** The libraries that its questions come from. */
  libraries: string[]
  papers: Blueprint[]
}
const SAMPLE = '<p><b>仿真样例</b>：由本站自编的题目按题型组卷，不是真题。题型、分值以当年官方大纲、公告为准。</p>'

/** Sample papers, made of the demo libraries by blueprint. */
export const demoSets: DemoSet[] = [
  {
    no: 'S_math',
    title: '士兵考学数学仿真卷',
    kind: 'mock',
    libraries: ['L_math'],
    intro: `${SAMPLE}<p>满分 150 分：单选 10×5，填空 6×5，解答 5×14，150 分钟。两套卷没有相同的题。</p>`,
    directions: ['jg', 'js', 'zsb', 'wz_sx'],
    price: 0,
    vip: false,
    trial: 10,
    papers: [
      { no: 'S_math_1', title: '数学仿真卷（一）', ...MATHS },
      { no: 'S_math_2', title: '数学仿真卷（二）', ...MATHS },
    ],
  },
  {
    no: 'S_chinese',
    title: '士兵考学语文仿真卷',
    kind: 'mock',
    libraries: ['L_chinese'],
    intro: `${SAMPLE}<p>满分 150 分：语言文字运用 8×3，文言文 6×3，诗歌 5×2，默写 8×1，现代文 10×3，作文 60（两题任选一题），150 分钟。</p>`,
    directions: ['jg', 'js', 'zsb'],
    price: 0,
    vip: false,
    trial: 10,
    papers: [{ no: 'S_chinese_1', title: '语文仿真卷（一）', ...CHINESE }],
  },
  {
    no: 'S_english_full',
    title: '士兵考学英语仿真卷',
    kind: 'mock',
    libraries: ['L_english'],
    intro: `${SAMPLE}<p>满分 100 分：语法与词汇 20×1，完形 20×1，阅读 20×2，书面表达 20，120 分钟。</p>`,
    directions: ['jg', 'js', 'zsb'],
    price: 0,
    vip: false,
    trial: 10,
    papers: [{ no: 'S_english_full_1', title: '英语仿真卷（一）', ...ENGLISH }],
  },
  {
    no: 'S_junzheng',
    title: '军政知识综合仿真卷',
    kind: 'mock',
    libraries: ['L_politics', 'L_military'],
    intro: `${SAMPLE}<p>满分 150 分，150 分钟。政治 70：单选 20×1，多选 10×2，简答 2×8，材料分析 14；军事 80：单选 20×1，多选 10×2，判断 10×1，简答 2×8，论述 14。多选少选得一半，错选不得分。</p>`,
    directions: ['jg', 'js', 'zsb'],
    price: 0,
    vip: false,
    trial: 10,
    papers: [{ no: 'S_junzheng_1', title: '军政综合仿真卷（一）', ...POLITICS_AND_MILITARY }],
  },
  {
    no: 'S_science',
    title: '科学知识综合仿真卷',
    kind: 'mock',
    libraries: ['L_physics', 'L_chemistry', 'L_history'],
    intro: `${SAMPLE}<p>满分 200 分，150 分钟。物理 80：单选 8×4，填空 6×4，计算 2×12；化学 70：单选 10×3，填空 5×4，实验与计算 2×10；历史 50：单选 15×2，材料 10×2。</p>`,
    directions: ['jg', 'js'],
    price: 0,
    vip: false,
    trial: 10,
    papers: [{ no: 'S_science_1', title: '科学综合仿真卷（一）', ...SCIENCE }],
  },
  {
    no: 'S_politics',
    title: '军政基础政治仿真卷',
    kind: 'mock',
    libraries: ['L_politics'],
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
    libraries: ['L_wz_public'],
    intro: `${SAMPLE}<p>110 题 100 分，120 分钟。基本知识 60 题 40 分：单选 50×0.5，多选 6×1.5，系列单选 4×1.5；岗位能力 50 题 60 分：言语 20×1，数量 10×1.5，判断 10×1.5，资料 10×1。</p>`,
    directions: ['wz_gg', 'wz_gl', 'wz_sx', 'wz_jsj'],
    price: 0,
    vip: false,
    trial: 10,
    papers: [{ no: 'S_wz_public_1', title: '公共科目仿真卷（一）', ...WENZHI }],
  },
  {
    no: 'S_tigan',
    title: '提干文化科目仿真卷',
    kind: 'mock',
    libraries: ['L_tg', 'L_military', 'L_politics'],
    intro: `${SAMPLE}<p>一张卷 750 分，180 分钟：科技知识 200，分析推理 200，军事 100，政治 100，职业知识 80，综合运用 70。多选少选得一半，错选不得分。</p>`,
    directions: ['tg'],
    price: 0,
    vip: false,
    trial: 10,
    papers: [{ no: 'S_tigan_1', title: '提干仿真卷（一）', ...TIGAN }],
  },
  {
    no: 'S_english',
    title: '英语语法与阅读专项',
    kind: 'special',
    libraries: ['L_english_set'],
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
