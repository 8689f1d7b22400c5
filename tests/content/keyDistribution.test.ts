import { readdirSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import type { ChoiceQuestion } from '#src/contract/question.ts'
import { isChoice } from '#src/domain/question/choice.ts'
import { seeded } from '#src/domain/question/shuffle.ts'
import { plainText } from '#src/domain/text/plainText.ts'
import { partsOf } from '#src/domain/study/study.ts'
import { checkFile } from '#server/content/bank/import.ts'

const FOLDER = path.resolve(import.meta.dirname, '../../server/demo/content')
/** A count that a fair order reaches less often than this is lopsided. */
const LEVEL = 0.005
/** Chapters with fewer single choices have no pattern that a student could learn. */
const MIN_IN_CHAPTER = 8
const LETTERS = 'ABCDEFGHIJ'

interface Asked {
  chapter: string
  question: ChoiceQuestion
}
/** The number of questions something holds for, and the number a fair order gives on average. */
interface Count {
  what: string
  hits: number
  of: number
  expected: number
}

/** The chance of at least `hits` among `of` questions, each of which hits with probability `chance`. */
function atLeast(hits: number, of: number, chance: number): number {
  let exactly = (1 - chance) ** of
  let sum = 0
  for (let k = 0; k <= of; k++) {
    if (k >= hits) sum += exactly
    exactly *= ((of - k) / (k + 1)) * (chance / (1 - chance))
  }
  return sum
}
const tooMany = ({ hits, of, expected }: Count): boolean => of > 0 && atLeast(hits, of, expected / of) < LEVEL
const tooFew = ({ hits, of, expected }: Count): boolean => of > 0 && atLeast(of - hits, of, 1 - expected / of) < LEVEL

/** Counts how often each letter is right; in a multiple choice each option is as likely as its share of right ones. */
function lettersIn(what: string, questions: readonly ChoiceQuestion[]): Count[] {
  const most = Math.max(0, ...questions.map(({ options }) => options.length))
  return LETTERS.slice(0, most)
    .split('')
    .map((letter, place) => {
      const having = questions.filter(({ options }) => place < options.length)
      return {
        what: `${what} ${letter}`,
        hits: having.filter(({ key, options }) => key.includes(options[place]?.id ?? '')).length,
        of: having.length,
        expected: having.reduce((sum, { key, options }) => sum + key.length / options.length, 0),
      }
    })
}

/** Counts how often the right option is the longest, where one option alone is. */
function longestIn(questions: readonly ChoiceQuestion[]): Count {
  const judged = questions.flatMap(({ key, options }) => {
    const sized = options.map(({ id, html }) => ({ id, size: plainText(html).length }))
    const [first, second] = sized.toSorted((a, b) => b.size - a.size)
    return first && first.size > (second?.size ?? 0)
      ? [{ right: key.includes(first.id), chance: 1 / options.length }]
      : []
  })
  return {
    what: 'single, the longest is right',
    hits: judged.filter(({ right }) => right).length,
    of: judged.length,
    expected: judged.reduce((sum, { chance }) => sum + chance, 0),
  }
}

/** The longest run of one letter, and how many runs of at least that length a fair order has on average. */
function longestRun(questions: readonly ChoiceQuestion[]): { length: number; expected: number } {
  let [length, now, before] = [0, 0, '']
  for (const { key } of questions) {
    now = key.join('') === before ? now + 1 : 1
    before = key.join('')
    length = Math.max(length, now)
  }
  return { length, expected: questions.length * 0.75 * 0.25 ** (length - 1) }
}

/** Names what a student could guess by in these questions, which are in the order of the bank. */
function patternsIn(asked: readonly Asked[]): string[] {
  const of = (...types: string[]) => asked.filter(({ question }) => types.includes(question.type))
  const questionsOf = (...types: string[]) => of(...types).map(({ question }) => question)
  const singles = questionsOf('single')
  const chapters = [...Map.groupBy(of('single'), ({ chapter }) => chapter)]
    .filter(([, those]) => those.length >= MIN_IN_CHAPTER)
    .flatMap(([chapter, those]) =>
      lettersIn(
        `${chapter}, single`,
        those.map(({ question }) => question),
      ),
    )
  const counts = [
    ...lettersIn('single', singles),
    ...lettersIn('multiple', questionsOf('multiple', 'indefinite')),
    ...lettersIn('judgement', questionsOf('judge')),
    ...chapters,
  ]
  const run = longestRun(singles)
  const longest = longestIn(singles)
  return [
    ...counts.filter((count) => tooMany(count) || tooFew(count)).map(told),
    ...(tooMany(longest) ? [told(longest)] : []),
    ...(run.length > 0 && run.expected < LEVEL ? [`single, ${run.length} of one letter in a row`] : []),
  ]
}
const told = ({ what, hits, of, expected }: Count): string => `${what}: ${hits} of ${of}, fair ${expected.toFixed(1)}`

async function askedIn(file: string): Promise<Asked[]> {
  const { placed } = await checkFile(path.join(FOLDER, file), null)
  return placed.flatMap(({ chapterNo: chapter, question }) =>
    partsOf(question).flatMap((part) => (isChoice(part) ? [{ chapter, question: part }] : [])),
  )
}

/** Single choices whose right option has these letters, in this order; `text` gives the text of each option. */
const made = (keys: string, text = (letter: string, _key: string): string => letter): Asked[] =>
  keys.split('').map((key, i) => ({
    chapter: 'C',
    question: {
      no: `Q${i}`,
      type: 'single',
      stem: '',
      analysis: '',
      points: [],
      difficulty: 3,
      source: '',
      year: 0,
      options: 'ABCD'.split('').map((id) => ({ id, html: text(id, key) })),
      key: [key],
    },
  }))

describe('a student cannot guess by the place or the length of the right options in', () => {
  test.each(readdirSync(FOLDER).filter((name) => name.endsWith('.json')))('%s', async (file) => {
    const asked = await askedIn(file)
    expect(asked.length).toBeGreaterThan(5)
    expect(patternsIn(asked)).toEqual([])
  })
})

describe('among made questions', () => {
  test('orders that chance alone decides nearly always pass', () => {
    const random = seeded('fair')
    const drawn = () => Array.from({ length: 40 }, () => 'ABCD'.charAt(Math.floor(random() * 4))).join('')
    const found = Array.from({ length: 200 }, () => patternsIn(made(drawn()))).filter((each) => each.length > 0)
    expect(found.length).toBeLessThan(10)
  })
  test('one letter that is right in half of them is found, in all of a bank or in a chapter', () => {
    expect(patternsIn(made('BABCBDBABCBABABCBABCBDBABABCBCBABDBABCB'))).toContain('single B: 20 of 39, fair 9.8')
    const chapter = made('BBABBBBB').map((each) => ({ ...each, chapter: 'D' }))
    expect(patternsIn([...made('ACD'.repeat(20)), ...chapter])).toContain('D, single B: 7 of 8, fair 2.0')
  })
  test('a letter that is never right is found', () => {
    expect(patternsIn(made('ABC'.repeat(9)))).toContain('single D: 0 of 27, fair 6.8')
  })
  test('an option of multiple choices that is always right is found, and judgements that are nearly all right', () => {
    const as = (type: 'multiple' | 'judge', letters: string, keys: string[]): Asked[] =>
      keys.flatMap((key) =>
        made('A').map(({ chapter, question }) => ({
          chapter,
          question: {
            ...question,
            type,
            options: letters.split('').map((id) => ({ id, html: id })),
            key: key.split(''),
          },
        })),
      )
    const multiple = as('multiple', 'ABCD', ['AB', 'BC', 'BD', 'BC', 'BD', 'AB', 'BD', 'BC'])
    expect(patternsIn(multiple)).toEqual(['multiple B: 8 of 8, fair 4.0'])
    const judge = (keys: string) => patternsIn(as('judge', 'AB', keys.split('')))
    expect(judge('AAAAAAAAAAAB')).toEqual(['judgement A: 11 of 12, fair 6.0', 'judgement B: 1 of 12, fair 6.0'])
    expect(judge('AAAABBABAABA')).toEqual([])
  })
  test('right options that are mostly the longest are found', () => {
    const longer = (at: string) => made('ABCD'.repeat(3), (letter, key) => (letter === (at || key) ? 'longer' : letter))
    expect(patternsIn(longer(''))).toEqual(['single, the longest is right: 12 of 12, fair 3.0'])
    expect(patternsIn(longer('C'))).toEqual([])
  })
  test('eight of one letter in a row are found', () => {
    expect(patternsIn(made(`${'ACDB'.repeat(3)}AAAAAAAA${'CDBCDB'.repeat(3)}`))).toContain(
      'single, 8 of one letter in a row',
    )
  })
})
