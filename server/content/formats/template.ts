import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { COLUMNS, type Columns } from './columns.ts'
import { FileFault } from '#server/content/draft.ts'
import { workbook } from './tableExport.ts'

/** One question of each type, right ones, as an operator would write them; `check` finds nothing in them. */
const EXAMPLES: readonly Columns[] = [
  {
    章节: '第一章 军史常识/建军',
    题型: '单选题',
    题干: '南昌起义发生在哪一年？',
    选项A: '1921年',
    选项B: '1927年',
    选项C: '1935年',
    选项D: '1949年',
    答案: 'B',
    解析: '1927年8月1日，南昌起义打响了武装反抗国民党反动派的第一枪。',
    A解析: '1921年中国共产党成立。',
    知识点: '军史；南昌起义',
    难度: 1,
    来源: '自编',
    年份: 2026,
  },
  {
    章节: '第一章 军史常识/建军',
    题型: '多选题',
    题干: '三湾改编的重要内容有',
    选项A: '把支部建在连上',
    选项B: '建立士兵委员会',
    选项C: '缩编部队',
    选项D: '实行军衔制',
    答案: 'ABC',
    解析: '1927年9月的三湾改编缩编部队、把党的支部建在连上、建立士兵委员会；军衔制是1955年实行的。',
    知识点: '军史',
    难度: 2,
  },
  {
    章节: '第二章 科学常识',
    题型: '判断题',
    题干: '声音可以在真空中传播。',
    答案: '错',
    解析: '声音要靠介质传播，真空里没有介质。',
    难度: 1,
  },
  {
    章节: '第一章 军史常识/建军',
    题型: '填空题',
    题干: '古田会议召开于____年____月。',
    答案: '1929//一九二九;12//十二',
    解析: '各空用分号分开，同一空的不同写法用 // 分开。古田会议召开于1929年12月。',
    难度: 2,
  },
  {
    章节: '第二章 科学常识',
    题型: '填空题',
    题干: '已知 $x^2-3x+2=0$，则 $x=$____或____。',
    答案: '1;2',
    解析: '公式写在两个美元符号之间：$(x-1)(x-2)=0$。两空可以互换，“无序”写“是”。',
    难度: 1,
    无序: '是',
  },
  {
    章节: '第一章 军史常识/建军',
    题型: '排序题',
    题干: '把下列事件按发生的先后排列。',
    选项A: '古田会议',
    选项B: '南昌起义',
    选项C: '三湾改编',
    选项D: '遵义会议',
    答案: 'BCAD',
    解析: '南昌起义（1927年8月）→三湾改编（1927年9月）→古田会议（1929年12月）→遵义会议（1935年1月）。',
    难度: 2,
  },
  {
    章节: '第一章 军史常识/建军',
    题型: '简答题',
    题干: '简述三湾改编的意义。',
    答案: '从组织上确立了党对军队的领导，是建设新型人民军队的重要开端。',
    采分点: '确立党对军队的领导（2分）\n建设新型人民军队的开端（2分）',
    解析: '采分点一行一个，括号里是分值。',
    难度: 3,
  },
  {
    章节: '第三章 资料分析',
    题型: '单选题',
    材料编号: 'example_material',
    材料: '某部组织训练（虚构数据）：第一天跑3公里，第二天跑5公里。',
    题干: '两天共跑多少公里？',
    选项A: '7',
    选项B: '8',
    选项C: '9',
    答案: 'B',
    解析: '3＋5＝8。同一材料的各行写同样的材料编号，材料只写在第一行。',
    难度: 1,
  },
  {
    章节: '第三章 资料分析',
    题型: '单选题',
    材料编号: 'example_material',
    题干: '第二天比第一天多跑多少公里？',
    选项A: '2',
    选项B: '3',
    选项C: '8',
    答案: 'A',
    解析: '5－3＝2。',
    难度: 1,
  },
  {
    章节: '第四章 写作',
    题型: '作文',
    题干: '以《第一次站岗》为题，写一篇文章。',
    字数要求: '不少于700字',
    答案: '范文写在这里；可以不写。',
    采分点: '内容：切合题意，具体真实（30分）\n结构：层次清楚，首尾完整（15分）\n语言：通顺准确（15分）',
    解析: '字数也可以写成“80～110词”“100词左右”；不写的，题干里有就按题干。',
    难度: 3,
  },
]

/** Writes the table to begin with, .xlsx or .csv. @throws FileFault for another ending. */
export async function writeTemplate(file: string): Promise<void> {
  const ending = path.extname(file).toLowerCase()
  if (ending === '.xlsx') return writeFile(file, await workbook(EXAMPLES))
  if (ending !== '.csv') throw new FileFault('模板写成 .xlsx 或 .csv 文件')
  const { stringify } = await import('csv-stringify/sync')
  const rows = EXAMPLES.map((row) => COLUMNS.map((name) => row[name] ?? ''))
  await writeFile(file, `\uFEFF${stringify([[...COLUMNS], ...rows])}`)
}
