import type { Checked } from '#server/content/checked.ts'
import type { Written } from '#server/content/store.ts'

/** One line of a file that was checked, and one of each finding in it. */
export function* toldLines(one: Checked, place: string): Generator<string> {
  const { file, total, importable, faults, warnings } = one
  yield `${place} ${file}：共 ${total} 题，可导入 ${importable}，错误 ${faults}，提醒 ${warnings}`
  for (const { level, at, reason } of one.told()) yield `  ${level === 'fault' ? '错误' : '提醒'} ${at}：${reason}`
}

/** What came of a file: written to the library, or kept in its draft; neither when it was only checked. */
export interface Outcome {
  written?: Written | undefined
  /** Questions. */
  draft?: number | undefined
}

/** The JSON of all files piece by piece: the findings of a large one are many. */
export function* toldJson(checked: readonly Checked[], outcomeOf: (i: number) => Outcome): Generator<string> {
  yield '['
  for (const [i, one] of checked.entries()) {
    const { file, total, importable } = one
    yield `${i > 0 ? ',' : ''}${JSON.stringify({ file, total, importable }).slice(0, -1)},"findings":[`
    let between = ''
    for (const finding of one.told()) {
      yield between + JSON.stringify(finding)
      between = ','
    }
    const { written = null, draft } = outcomeOf(i)
    yield `],${JSON.stringify({ written, draft }).slice(1)}`
  }
  yield ']\n'
}
