import type { Blueprint } from '#server/content/publish/blueprint.ts'
import type { TestingFileInput } from '#server/content/publish/testingFile.ts'

type Bands = NonNullable<TestingFileInput['guide']>
type DemoTesting = Pick<TestingFileInput, 'kind' | 'intro' | 'directions' | 'minutes' | 'guide' | 'unit'> & {
  /** That its questions come from. */
  libraries: string[]
  /** A section has its bands beside it. */
  paper: Blueprint
  guides: Bands[]
}

/** From weak to strong, with where to start in each case. */
const bands = (weak: Bands[number], middle: Bands[number], strong: Bands[number]): Bands => [weak, middle, strong]
const said = (from: number, advice: string, ...start: NonNullable<Bands[number]['start']>): Bands[number] => ({
  from,
  advice,
  start,
})

/** Sample testings, made of the demo libraries by blueprint, each with what its results mean. */
export const demoTestings: DemoTesting[] = [
  {
    libraries: ['L_math', 'L_physics', 'L_english', 'L_politics'],
    kind: 'entrance',
    intro:
      '<p>四科各 5 题，约二十分钟，不限时。做完按科目给出建议：从哪一章开始、先补哪一块。结果只给自己看，可以隔一阵再测，看看进步。</p>',
    directions: ['jg', 'js'],
    minutes: 0,
    guide: bands(
      said(0, '基础还不牢：先不做整卷。按下面各科的建议，一科一章地学，每天做一组 20 题，错题当天看懂。'),
      said(45, '基础有了，但不均衡：先补得分最低的一科，其余各科每周保持两组练习。'),
      said(75, '基础扎实：可以开始做整卷，把时间用在错题和薄弱知识点上。', { set: 'S_math' }, { set: 'S_politics' }),
    ),
    paper: {
      no: 'T_entrance',
      title: '军考入学测评',
      minutes: 0,
      partial: 'none',
      full: 100,
      sections: [
        { title: '数学', type: 'single', count: 5, score: 5, chapters: ['L_math'] },
        { title: '物理', type: 'single', count: 5, score: 5, chapters: ['L_physics'] },
        { title: '英语', type: 'single', count: 5, score: 5, chapters: ['L_english'] },
        { title: '政治', type: 'single', count: 5, score: 5, chapters: ['L_politics'] },
      ],
    },
    guides: [
      bands(
        said(0, '从集合与不等式学起，函数之前先把运算练熟。', { chapter: 'L_math_1_1' }, { chapter: 'L_math_1_2' }),
        said(40, '运算过关，从函数与导数开始，再到三角函数。', { chapter: 'L_math_2_1' }, { chapter: 'L_math_3_1' }),
        said(80, '直接练解析几何与概率这些拉分的章节。', { chapter: 'L_math_5_2' }, { chapter: 'L_math_6' }),
      ),
      bands(
        said(
          0,
          '从直线运动和受力分析学起，这两章是其余力学的底子。',
          { chapter: 'L_physics_1_1' },
          { chapter: 'L_physics_1_2' },
        ),
        said(
          40,
          '力学基础有了，补机械能与动量，再进电磁学。',
          { chapter: 'L_physics_1_4' },
          { chapter: 'L_physics_2_1' },
        ),
        said(80, '集中练电磁感应和实验，它们的综合题最多。', { chapter: 'L_physics_2_3' }, { chapter: 'L_physics_6' }),
      ),
      bands(
        said(
          0,
          '先学时态语态，再背固定搭配，每天 10 个词组。',
          { chapter: 'L_english_1_1' },
          { chapter: 'L_english_2_1' },
        ),
        said(40, '补非谓语和从句，读句子时先找谓语动词。', { chapter: 'L_english_1_2' }, { chapter: 'L_english_1_3' }),
        said(80, '语法过关，把时间放在完形和阅读上。', { chapter: 'L_english_4' }, { chapter: 'L_english_5' }),
      ),
      bands(
        said(0, '先学唯物论与辩证法，概念要能用自己的话说出来。', { chapter: 'L_politics_1_1' }),
        said(
          40,
          '补党史和军史的时间线，多选题多从这里出。',
          { chapter: 'L_politics_2_1' },
          { chapter: 'L_politics_3_1' },
        ),
        said(
          80,
          '选择题已稳，练法律、经济和主观题的表述。',
          { chapter: 'L_politics_4_1' },
          { chapter: 'L_politics_5_1' },
        ),
      ),
    ],
  },
  {
    libraries: ['L_math'],
    kind: 'unit',
    intro: '<p>学完“函数与导数”一章做：8 题，15 分钟。得分不到六成，先回去把这一章再练一遍。</p>',
    directions: ['jg', 'js', 'zsb', 'wz_sx'],
    unit: { course: 'K_math0', no: 'K_math0_u2' },
    minutes: 15,
    guide: [
      said(0, '这一单元还没有掌握：从函数的概念与性质再练一遍，再做一次测验。', { chapter: 'L_math_2_1' }),
      said(60, '基本掌握：把做错的题弄懂，补指数、对数与导数。', { chapter: 'L_math_2_2' }, { chapter: 'L_math_2_3' }),
      said(85, '这一单元过关，可以学下一章三角函数与平面向量。', { chapter: 'L_math_3_1' }),
    ],
    paper: {
      no: 'T_math_2',
      title: '单元测验：函数与导数',
      minutes: 15,
      partial: 'none',
      full: 40,
      sections: [
        { title: '一、单项选择题', note: '每小题 5 分。', type: 'single', count: 6, score: 5, chapters: ['L_math_2'] },
        { title: '二、填空题', note: '每小题 5 分。', type: 'blank', count: 2, score: 5, chapters: ['L_math_2'] },
      ],
    },
    guides: [],
  },
  {
    libraries: ['L_politics'],
    kind: 'unit',
    intro: '<p>学完“马克思主义哲学基础”一章做：11 题，不限时。多选少选得一半，错选不得分。</p>',
    directions: ['jg', 'js', 'zsb', 'tg'],
    minutes: 0,
    guide: [
      said(0, '先把唯物论与辩证法的基本概念学清楚，再做一次测验。', { chapter: 'L_politics_1_1' }),
      said(60, '基本掌握：弄懂做错的题，补认识论与唯物史观。', { chapter: 'L_politics_1_2' }),
      said(85, '这一单元过关，可以学下一章中共党史。', { chapter: 'L_politics_2_1' }),
    ],
    paper: {
      no: 'T_politics_1',
      title: '单元测验：马克思主义哲学基础',
      minutes: 0,
      partial: 'half',
      full: 26,
      sections: [
        {
          title: '一、单项选择题',
          note: '每小题 2 分。',
          type: 'single',
          count: 6,
          score: 2,
          chapters: ['L_politics_1'],
        },
        {
          title: '二、多项选择题',
          note: '每小题 4 分，少选得一半。',
          type: 'multiple',
          count: 2,
          score: 4,
          chapters: ['L_politics_1'],
        },
        { title: '三、判断题', note: '每小题 2 分。', type: 'judge', count: 3, score: 2, chapters: ['L_politics_1'] },
      ],
    },
    guides: [],
  },
]
