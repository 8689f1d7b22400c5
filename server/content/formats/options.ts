/** A marker of an option at a place where one may stand: `A.` `A．` `A、` `A:` `(A)` `（A）`. */
const MARKER = /(?<=^|[\s\u3000）)。；;”"，,\]}\u4e00-\u9fff\u2460-\u2473$>])[（(]?([A-H])[ \t]?[)）.．、:：]\s*/g

/**
 * Takes the options out of a stem that holds them: one a line, several a line, or glued without a space. The markers must run
 * A, B, C … from the last A that does so, hence ①②③ lists, `(1)` lists and table rows before them stay in the stem. Null when
 * the stem holds none.
 */
export function splitOptions(stem: string): { stem: string; options: string[] } | null {
  const markers = [...outsideFormulae(stem).matchAll(MARKER)].map((match) => ({
    letter: match[1] ?? '',
    from: match.index,
    to: match.index + match[0].length,
  }))
  for (let first = markers.length - 1; first >= 0; first--) {
    if (markers[first]?.letter !== 'A') continue
    const run = runFrom(markers.slice(first))
    if (run.length < 2) continue
    const options = run.map((marker, i) => stem.slice(marker.to, run[i + 1]?.from ?? stem.length).trim())
    return { stem: stem.slice(0, run[0]?.from).trim(), options }
  }
  return null
}

function runFrom<M extends { letter: string }>(markers: readonly M[]): M[] {
  const run: M[] = []
  for (const marker of markers) if (marker.letter === String.fromCharCode(65 + run.length)) run.push(marker)
  return run
}

/** Formulae blanked out at equal length, so that an `A.` in one is no marker. */
const outsideFormulae = (text: string): string =>
  text.replace(/\$\$?[^$]+\$\$?/g, (formula) => '$'.repeat(formula.length))

/** `["A","C"]`, "AC", "A C", "A,C", "$\mathrm{AC}$", "ＡＣ": the letters, once each and in order. Null: not letters. */
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
    .replace(/\$|\\(?:mathrm|text|rm)|[{}[\]"'\s,，、;；.。()和与]/g, '')
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
