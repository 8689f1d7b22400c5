import type { Checked } from '#server/content/bank/checked.ts'
import type { Stop } from '#server/content/bank/lessonStops.ts'
import type { Written } from '#server/content/bank/store.ts'
import { lostLines, warnedLines } from './stopLines.ts'

/** A warning that is told so often is told once, with how often and where first. */
const OFTEN = 5
/** A PDF has no lines, only letters in places: columns can be mixed where nobody notices. */
const FROM_PAGES = '提醒 PDF 的文字是按版面拼起来的，分栏的卷子可能串行：先用 check --html 逐题看过，再导入'

/** One line of a file that was checked, then its faults, then its warnings. */
export function* findingLines(one: Checked, place: string): Generator<string> {
  const { file, total, importable, faults, warnings } = one
  yield `${place} ${file}：共 ${total} 题，可导入 ${importable}，错误 ${faults}，提醒 ${warnings}`
  if (/\.pdf$/i.test(file)) yield `  ${FROM_PAGES}`
  for (const { level, at, reason } of one.eachFinding()) if (level === 'fault') yield `  错误 ${at}：${reason}`
  const common = new Map(one.spool.commonWarnings(OFTEN).map((reason) => [reason, { n: 0, first: [] as string[] }]))
  for (const { level, at, reason } of one.eachFinding()) {
    if (level === 'fault') continue
    const often = common.get(reason)
    if (!often) yield `  提醒 ${at}：${reason}`
    else if (++often.n < OFTEN) often.first.push(at)
  }
  for (const [reason, { n, first }] of common) yield `  提醒 ${reason}：共 ${n} 处，${first.join('、')}等`
}

/**
 * Chooses the files that an import writes: one without a question would only leave an empty library for students. With `--replace`
 * a file that was read but holds nothing stays, because the import refuses it as one that would empty its library.
 */
export function partition(checked: readonly Checked[], replace: boolean) {
  const taken = checked.filter(({ bank, importable }) => bank !== null && (replace || importable > 0))
  const skipped = checked.flatMap((one) => (taken.includes(one) ? [] : [one.file]))
  return { taken, skipped }
}

/** What came of a file: written to the library, or kept in its draft; neither when it was only checked. */
export interface Outcome {
  written?: Written | undefined
  /** Questions. */
  draft?: number | undefined
  /** A check tells which questions published lessons would ask no more if the file took the place of its library. */
  wouldLose?: readonly Stop[] | undefined
}

/** The JSON of all files piece by piece: the findings of a large one are many. */
export function* reportJson(checked: readonly Checked[], outcomes: readonly Outcome[]): Generator<string> {
  yield '['
  for (const [i, one] of checked.entries()) {
    const { file, total, importable } = one
    yield `${i > 0 ? ',' : ''}${JSON.stringify({ file, total, importable }).slice(0, -1)},"findings":[`
    let between = ''
    for (const finding of one.eachFinding()) {
      yield between + JSON.stringify(finding)
      between = ','
    }
    const { written = null, draft, wouldLose } = outcomes[i] ?? {}
    yield `],${JSON.stringify({ written, draft, wouldLose }).slice(1)}`
  }
  yield ']\n'
}

/** Tells in words what came of a file of the library with this number. */
export function outcomeLines(file: string, libraryNo: string, { written, draft, wouldLose }: Outcome): string[] {
  if (draft !== undefined)
    return [`${file}：题库 ${libraryNo} 的草稿 ${draft} 题，学生还看不到；先看 diff，再 publish 发布`]
  if (!written) return warnedLines(wouldLose)
  const { added, changed, retired, framed, lostStops } = written
  const counts = `新增 ${added}，更新 ${changed}，下架 ${retired}${framed ? '；题库信息、章节或知识点有改动' : ''}`
  return [`${file}：${counts}`, ...lostLines(lostStops)]
}
