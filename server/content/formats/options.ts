import { divideAtMarks, type Divided, type Unclear } from './optionMarks.ts'

/** Takes the options out of a stem that holds them. Returns null when it holds none, or when they can be read in two ways. */
export function splitOptions(stem: string): Divided | null {
  const divided = divideAtMarks(stem)
  return divided && 'options' in divided ? divided : null
}

const LONGEST_SHOWN = 12
/** Says in Chinese how else the options of a text can be read; undefined when there is one reading. */
export function twoReadings(text: string): string | undefined {
  const divided = divideAtMarks(text)
  return divided && 'readings' in divided ? saidOf(divided) : undefined
}

function saidOf({ readings }: Unclear): string {
  const shown = readings.map((options, i) => {
    const texts = options.map((option, at) => {
      const short = option.length > LONGEST_SHOWN ? `${option.slice(0, LONGEST_SHOWN)}…` : option
      return `${String.fromCharCode(65 + at)}“${short.replaceAll(/\s+/g, ' ')}”`
    })
    return `${'①②'[i]}${texts.join(' ')}`
  })
  return `选项有两种读法：${shown.join('；')}。请一个选项写一行`
}

/** `["A","C"]`, "AC", "A C", "A,C", "A|C", "A+C", "A项", "$\mathrm{AC}$", "ＡＣ": the letters, once each and in order. Null: not letters. */
export function answerLetters(answer: string): string[] | null {
  const text = bareLetters(answer)
  return /^[A-Z]{1,26}$/.test(text) && new Set(text).size === text.length ? text.split('').sort() : null
}

/** "CABD", "C→A→B→D", "C-A-B-D", "C>A>B>D", "ＣＡＢＤ": the letters as they follow each other. */
export const lettersInOrder = (answer: string): string[] =>
  bareLetters(answer)
    .replace(/[→⇒➝>—–-]/g, '')
    .split('')

const bareLetters = (answer: string): string =>
  answer
    .normalize('NFKC')
    .replace(/(?<=[A-Za-z])\s*选?项/g, '')
    .replace(/\$|\\(?:mathrm|text|rm)|[{}[\]【】"'\s,，、;；.。()和与|/+&]/g, '')
    .toUpperCase()

/**
 * Options without the markers still before them: `A.` `（A）` `【A】` `a)` `Ａ、`, within tags as well. A sign behind the letter is
 * needed where not all have one, and most must have it: a lone "A few" or "C. elegans" is text.
 */
export function withoutMarkers(options: readonly string[]): string[] {
  const texts = options.map((option) => option.trim())
  const bare = (sign: string) =>
    texts.map((text, i) => {
      const letter = String.fromCharCode(65 + i)
      const any = `[${letter}${letter.toLowerCase()}${String.fromCharCode(letter.charCodeAt(0) + 0xfee0)}]`
      return text.replace(new RegExp(`^((?:<[a-z][^>]*>\\s*)*)[（(［[【]?\\s*${any}\\s*${sign}`), '$1')
    })
  const count = (stripped: readonly string[]) => stripped.filter((text, i) => text !== texts[i] && text !== '').length
  const loosely = bare('(?:[)）］\\]】.．、:：]+\\s*|\\s+)')
  if (count(loosely) === texts.length) return loosely
  const strictly = bare('[)）］\\]】.．、:：]+\\s*')
  return count(strictly) >= 2 && count(strictly) > texts.length / 2 ? strictly : texts
}

/** Original number and score mark at the start of a stem: "10." "（6 分）" "1：". */
export const withoutNumber = (stem: string): string =>
  stem
    .trim()
    .replace(/^\d{1,3}\s*(?:[.．、:：]\s*(?!\d)|[.．、](?:\s+|(?=(?:19|20)\d\d\s*年)))/, '')
    .replace(/^[（(]\s*\d{1,3}(?:\.5)?\s*分\s*[)）]\s*/, '')
