import { letter } from './answers.ts'
import { answerLetters, splitOptions, twoReadings } from './options.ts'

interface Keyed {
  stem: string
  answer: string | undefined
  refused?: string | undefined
}
const MINE_ALONE =
  '文件里只有某个人的作答（如“我的答案”），没有正确答案，不能当作标准答案。请在题后补一行“正确答案：…”，或复制显示正确答案的页面'
const UNLETTERED = '选项前没有字母，分不清从哪一行开始。请在每个选项前写上 A. B. C.'

const RIGHT = /(?<!\s)\s*[（(]\s*正确答案\s*[)）]/
/**
 * Reads the key where a copied page shows it: `B. 1927年(正确答案)`, `____(答案：1927)`, or `正确答案: B:1927年`. What a student
 * has answered is no key.
 * @param hasMine the page says what someone has answered
 */
export function keyOfPage(stem: string, given: string | undefined, hasMine: boolean): Keyed {
  const answer = given === undefined ? undefined : plainAnswer(given, splitOptions(stem)?.options ?? [])
  const read = RIGHT.test(stem) ? rightOption(stem, answer) : answer === undefined ? inGaps(stem) : { stem, answer }
  if (read.answer !== undefined || read.refused !== undefined || !hasMine) return read
  return { ...read, refused: MINE_ALONE }
}

function rightOption(stem: string, answer: string | undefined): Keyed {
  const options = splitOptions(stem)?.options
  if (!options) return { stem, answer, refused: answer === undefined ? (twoReadings(stem) ?? UNLETTERED) : undefined }
  const letters = options.flatMap((option, i) => (RIGHT.test(option) ? [letter(i)] : [])).join('')
  if (letters === '') return { stem, answer }
  const differs = answer !== undefined && answerLetters(answer)?.join('') !== letters
  return {
    stem: stem.replaceAll(new RegExp(RIGHT, 'g'), ''),
    answer: letters,
    refused: differs ? `“正确答案：${answer.slice(0, 20)}”与选项后的“(正确答案)”${letters} 不一致，请核对` : undefined,
  }
}

const IN_GAP = /(?<!\s)\s*[（(]\s*(?:正确|参考)?答案\s*[:：]\s*([^（()）]+?)\s*[)）]/g
/** Takes the answers of gaps out of the stem in which they stand. */
function inGaps(stem: string): Keyed {
  const answers = [...stem.matchAll(IN_GAP)].map((found) => found[1] ?? '')
  if (answers.length === 0) return { stem, answer: undefined }
  const asked = stem.replaceAll(IN_GAP, '')
  const withoutField = asked.replaceAll(/\n_{3,}(?=\n|$)/g, '')
  // The field below a question is its gap where it has no other.
  return { stem: /_{2,}|[（(]\s*[)）]/.test(withoutField) ? withoutField : asked, answer: answers.join('；') }
}

/** A page writes the texts of options behind their letters, and numbers the answers of several gaps. */
function plainAnswer(answer: string, options: readonly string[]): string {
  const letters = options.length > 0 ? lettersBeforeTexts(answer, options) : undefined
  if (letters !== undefined) return letters
  const lines = answer.split('\n')
  const ofGap = /^(?:[（(]\d{1,2}[)）]|第[一二三四五六七八九十\d]+空\s*[:：])\s*/
  return lines.every((line) => ofGap.test(line)) ? lines.map((line) => line.replace(ofGap, '')).join('；') : answer
}

const HEAD = /(?<=^|[;；,，、\s])([A-H]{1,8})\s*[:：]/g
/**
 * Reads `B:1927年`, `AB:甲;乙` and `A:甲;B:乙`. The texts must be those of the options, or nothing is read and the answer is refused:
 * nobody can tell whether the letter or the text is meant.
 */
function lettersBeforeTexts(answer: string, options: readonly string[]): string | undefined {
  const heads = [...answer.matchAll(HEAD)].map((found) => found[1] ?? '')
  const [first] = heads
  if (first === undefined || !answer.startsWith(first)) return undefined
  if (/^[A-H]+\s*[:：]\s*$/.test(answer)) return first
  const textOf = (letter: string) => options[letter.charCodeAt(0) - 65] ?? ''
  const together = `${first}:${first.split('').map(textOf).join('')}`
  const apart = heads.map((head) => `${head}:${textOf(head)}`).join('')
  if (squeezed(together) === squeezed(answer)) return first
  return squeezed(apart) === squeezed(answer) ? heads.join('') : undefined
}
const squeezed = (text: string): string => text.normalize('NFKC').replaceAll(/[\s;,、]/g, '')
