import { FileFault, type Intake } from '#server/content/draft.ts'
import { isPaper, readPaperLines } from '../paperText.ts'
import type { Headers } from '../tableHead.ts'
import { drafts } from '../tableRows.ts'
import { readWord, type Word } from './word.ts'
import { finished } from './wordDrafts.ts'

/**
 * Questions of a document of Word: of its text, which is read as a paper, and of tables that are banks.
 * @param unused is told each column that nothing reads
 * @throws FileFault
 */
export async function readDocument(
  file: string,
  intake: Intake,
  headers: Headers,
  unused: (name: string) => void,
): Promise<void> {
  await takeDocument(await readWord(file, headers, (name, bytes) => intake.picture(name, bytes)), file, intake, {
    headers,
    unused,
  })
}

interface Columns {
  headers: Headers
  /** Is told each column that nothing reads. */
  unused: (name: string) => void
}
/** Takes the questions out of what was read of a document. */
export async function takeDocument(
  word: Word,
  file: string,
  intake: Intake,
  { headers, unused }: Columns,
): Promise<void> {
  for (const { at, reason } of word.notes) intake.report('warning', at, reason)
  for (const { at, rows } of word.banks)
    for await (const each of drafts(rows, headers, unused))
      intake.draft(finished({ ...each, at: `${at} ${each.at}` }, word.held))
  readText(word, file, intake)
  tellLeft(word, intake)
}

const LINE = /第(\d+)行/
function readText(word: Word, file: string, intake: Intake): void {
  const { lines, banks, held, placeOf } = word
  const source = lines.map(({ text }) => held.words(text)).join('\n')
  if (!isPaper(source)) {
    if (banks.length === 0) {
      // They may be why.
      tellLeft(word, intake)
      throw new FileFault(
        '认不出题目：试卷要有题号（如“1．”，自动编号也行）和答案（如“答案：B”“（B）”），表格要有“题干”和“答案”列',
      )
    }
    const first = lines.find(({ text }) => held.words(text).trim() !== '')
    if (first) intake.report('warning', placeOf(first.n), '表格以外的文字没有导入')
    return
  }
  const placed = (at: string) => at.replace(LINE, (_, n: string) => placeOf(Number(n)))
  const read = readPaperLines(lines, file)
  for (const { level, at, reason } of read.findings) intake.report(level, placed(at), held.words(reason))
  for (const each of read.drafts) intake.draft(finished({ ...each, at: placed(each.at) }, held))
}

const CALLED = { picture: '图片', formula: '公式', table: '表格', ruby: '注音的文字' }
/** Nothing of a file is left out without a word. */
function tellLeft({ held, placeOf }: Word, intake: Intake): void {
  for (const place of held.left())
    intake.report(
      'warning',
      placeOf(place.line),
      'reason' in place ? `${place.reason}（不在任何题目里）` : `${CALLED[place.kind]}不在任何题目里，没有导入`,
    )
}
