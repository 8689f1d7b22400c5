import { plainText } from '#src/domain/text/plainText.ts'
import { shortened } from '#src/domain/text/text.ts'
import { analyseItems, type Item } from '#server/content/bank/itemAnalysis.ts'
import type { Db } from '#server/db/open.ts'
import { refused } from './commandLine.ts'
import type { CommandResult } from './commandLine.ts'

interface Asked {
  /** Questions that fewer students have answered are left out. */
  least: number
  /** Lines at most; all with JSON. */
  most: number
  asJson: boolean
}

/** `npm run content -- stats`: the questions of a library, those that most got wrong first. */
export async function tellStats(db: Db, libraryNo: string, { least, most, asJson }: Asked): Promise<CommandResult> {
  const all = await analyseItems(db, libraryNo)
  if (!all) return refused(`没有编号为 ${libraryNo} 的题库`)
  const items = all.filter(({ students }) => students >= least)
  if (asJson) return { code: 0, lines: [JSON.stringify(items)] }
  if (items.length === 0) return { code: 0, lines: [`没有满 ${least} 人作答的题目（--min 可以改）`] }
  const doubtful = items.filter(isDoubtful)
  return {
    code: 0,
    lines: [
      `满 ${least} 人作答的 ${items.length} 题（各人第一次作答），平均正确率 ${percent(mean(items.map(({ right }) => right)))}`,
      ...spread(items),
      ...section(`区分度为负 ${doubtful.length} 题：会做的人反而错，先核对答案`, doubtful, most),
      ...section('错得最多', items, most),
    ],
  }
}

const isDoubtful = ({ discrimination }: Item): boolean => discrimination !== null && discrimination < 0
const percent = (share: number): string => `${Math.round(share * 100)}%`
const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length

const BANDS = [
  ['很难', 0, 0.3],
  ['较难', 0.3, 0.5],
  ['适中', 0.5, 0.7],
  ['较易', 0.7, 0.9],
  ['很易', 0.9, 1.01],
] as const
const BAR = 30
function spread(items: readonly Item[]): string[] {
  return BANDS.map(([name, from, to]) => {
    const count = items.filter(({ right }) => right >= from && right < to).length
    const range = `${percent(from)}–${percent(Math.min(to, 1))}`
    return `  ${name} ${range.padEnd(9)} ${'█'.repeat(Math.round((BAR * count) / items.length))} ${count} 题`
  })
}

function section(title: string, items: readonly Item[], most: number): string[] {
  if (items.length === 0) return []
  const more = items.length > most ? [`  另有 ${items.length - most} 题，--most 看更多，--json 看全部`] : []
  return ['', title, ...items.slice(0, most).flatMap(told), ...more]
}

const STEM_SHOWN = 36
function told({ no, stem, students, right, discrimination, wrong }: Item): string[] {
  const r = discrimination === null ? '' : `，区分度 ${discrimination.toFixed(2)}`
  const chosen = wrong ? `，${percent(wrong.share)} 的人选了 ${wrong.option}` : ''
  return [
    `  ${no} ${shortened(plainText(stem), STEM_SHOWN)}`,
    `    ${students} 人，正确率 ${percent(right)}${r}${chosen}`,
  ]
}
