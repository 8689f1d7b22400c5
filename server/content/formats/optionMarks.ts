/** Says how a mark such as `B.` is set off from the text before it. */
type Setting = 'apart' | 'behind a character' | 'glued'
interface Mark {
  letter: string
  setting: Setting
  sign: string
  from: number
  to: number
}
/** A text that was divided at the marks of its options. */
export interface Divided {
  stem: string
  options: string[]
}
export interface Unclear {
  /** The lists of options that the text may mean; there are two at least. */
  readings: string[][]
}

const MARK =
  /(?<=(^|[\s）)。；;”"，,\]}\u2460-\u2473$>])|([\u4e00-\u9fff])|[\p{L}\p{N}%‰°℃!?！？…+\-⁺⁻])[（(]?([A-H])[ \t]?([)）.．、:：])\s*/gu
const SIGNS: Record<string, string> = { '）': ')', '．': '.', '：': ':' }

/**
 * Finds the options in a text: one a line, several a line, or glued without a space. Their marks run A, B, C … from the last A
 * that does so, hence ①②③ lists, `(1)` lists and table rows before them stay in the stem. A letter with a sign may also be part
 * of an option (维生素B.1), so a text that can be divided in two ways is not divided. Returns null when the text holds no options.
 */
export function divideAtMarks(text: string): Divided | Unclear | null {
  const marks = marksOf(text)
  const strict = marks.filter(({ setting }) => setting !== 'glued')
  const begins = (among: readonly Mark[]) =>
    strict.findLast((mark) => mark.letter === 'A' && longest(mark, among).length > 1)
  const first = begins(strict) ?? begins(marks)
  if (!first) return null
  const readings = readingsFrom(first, marks, text)
  const twice = strict.find((mark) => mark.from < first.from && isSameAgain(mark, first, text))
  if (twice) readings.unshift(longest(twice, marks))
  const [only] = readings
  if (only && readings.length === 1) return { stem: text.slice(0, first.from).trim(), options: optionsAt(only, text) }
  return { readings: readings.slice(0, ENOUGH).map((run) => optionsAt(run, text)) }
}

/** Tells an A that begins the line of the first option: one of the two is mistyped. */
const isSameAgain = (mark: Mark, first: Mark, text: string): boolean =>
  mark.letter === first.letter &&
  mark.sign === first.sign &&
  startsLine(mark, text) &&
  !text.slice(mark.from, first.from).includes('\n')
const startsLine = ({ from }: Mark, text: string): boolean =>
  text.slice(text.lastIndexOf('\n', from - 1) + 1, from).trim() === ''

const optionsAt = (run: readonly Mark[], text: string): string[] =>
  run.map(({ to }, i) => text.slice(to, run[i + 1]?.from ?? text.length).trim())

function marksOf(text: string): Mark[] {
  const plain = withoutCode(text)
  return [...plain.matchAll(MARK)].flatMap((match): Mark[] => {
    const [whole, apart, character, letter = '', sign = ''] = match
    const setting = apart !== undefined ? 'apart' : character !== undefined ? 'behind a character' : 'glued'
    const to = match.index + whole.length
    // 3D. at the end of an option is no mark: it has no text behind it.
    if (setting === 'glued' && plain.slice(to).trim() === '') return []
    return [{ letter, setting, sign: SIGNS[sign] ?? sign, from: match.index, to }]
  })
}

/** Blanks formulae, tags and names of pictures at equal length, so that an `A.` in one is no mark. */
const withoutCode = (text: string): string =>
  text
    .replace(/<math\b[^]*?<\/math>|\$\$?[^$]+\$\$?/g, (formula) => '$'.repeat(formula.length))
    .replace(/<\/?[a-z][^<>]*>/gi, (tag) => '>'.repeat(tag.length))
    .replace(/\[img:[^\]]*\]/g, (picture) => ']'.repeat(picture.length))

const next = (letter: string): string => String.fromCharCode(letter.charCodeAt(0) + 1)

/** Gives the longest run of letters from a mark on; each letter is taken where it comes first. */
function longest(first: Mark, among: readonly Mark[]): Mark[] {
  const run = [first]
  let last = first
  for (const mark of among)
    if (mark.from > last.from && mark.letter === next(last.letter)) {
      run.push(mark)
      last = mark
    }
  return run
}

/** The number of runs grows with every repeated letter; two are enough to know that a text is unclear. */
const ENOUGH = 2
/** Gives the runs of a length from a mark on, but no more than are needed. */
function runsOf(length: number, from: Mark, among: readonly Mark[]): Mark[][] {
  if (length === 1) return [[from]]
  const runs: Mark[][] = []
  for (const mark of among) {
    if (mark.from <= from.from || mark.letter !== next(from.letter)) continue
    if (longest(mark, among).length < length - 1) continue
    runs.push(...runsOf(length - 1, mark, among).map((run) => [from, ...run]))
    if (runs.length >= ENOUGH) break
  }
  return runs.slice(0, ENOUGH)
}

/** Gives the one run that the marks mean, or the two that they may mean. */
function readingsFrom(first: Mark, marks: readonly Mark[], text: string): Mark[][] {
  const { length } = longest(first, marks)
  const apart = marks.filter(({ setting }) => setting === 'apart')
  const clear = runsOf(length, first, apart)
  if (clear.length > 1) {
    const atStarts = apart.filter((mark) => startsLine(mark, text))
    const lines = runsOf(length, first, atStarts)
    return lines.length === 1 ? lines : clear
  }
  if (clear.length > 0) return clear
  const all = runsOf(length, first, marks)
  const alike = runsOf(
    length,
    first,
    marks.filter(({ sign }) => sign === first.sign),
  )
  const readings = all.length > 1 && alike.length === 1 ? alike : all
  const [run] = readings
  if (!run || readings.length > 1) return readings
  const spaced = longest(first, apart)
  if (spaced.length > 1 && spaced.some((mark) => !run.includes(mark))) return [run, spaced]
  return mayBeText(run, text) ? [run, run.slice(0, -1)] : [run]
}

/** 维生素B, 点C: words that a letter follows. */
const TAKES_LETTER = /(?:维生素|维他命|选项|方案|平面|附录|血型|[点型图])$/
const FORMULA = /^(?:[A-Z][a-z]?\d*)*[A-Z][a-z]?$/
/**
 * Tells whether the last mark may belong to the option before it: no letter behind it confirms that mark. A symbol of an element
 * may end a formula anywhere (SiC). A word is doubtful only where the marks before it are set off in another way.
 */
function mayBeText(run: readonly Mark[], text: string): boolean {
  const last = run.at(-1)
  const [first, ...others] = run.slice(0, -1)
  const before = run.at(-2)
  if (!last || !first || !before || last.setting === 'apart') return false
  const option = text.slice(before.to, last.from)
  const word = /[A-Za-z\d]*$/.exec(option)?.[0] ?? ''
  if ('BCFH'.includes(last.letter) && FORMULA.test(word)) return true
  if (others.some(({ setting }) => setting !== 'apart')) return false
  return last.sign !== first.sign || TAKES_LETTER.test(option) || /^[A-Z]+$/.test(word)
}
