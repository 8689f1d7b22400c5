import { readdirSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import type { ChoiceQuestion } from '#src/contract/question.ts'
import { isChoice } from '#src/domain/question/choice.ts'
import { shuffleOptions } from '#src/domain/question/letters.ts'
import { partsOf } from '#src/domain/study/study.ts'
import { checkFile } from '#server/content/bank/import.ts'
import { seeded, shuffled } from '#src/domain/question/shuffle.ts'

const question = (analysis: string, more: Partial<ChoiceQuestion> = {}): ChoiceQuestion => ({
  no: 'Q1',
  type: 'single',
  stem: '<p>下列说法正确的是</p>',
  analysis,
  points: [],
  difficulty: 3,
  source: '',
  year: 0,
  options: ['甲', '乙', '丙', '丁'].map((html, i) => ({ id: 'ABCD'.charAt(i), html })),
  key: ['B'],
  ...more,
})
const order = (made: ChoiceQuestion) => made.options.map(({ id }) => id).join('')
/** A seed that moves every option. */
const SEED = Array.from({ length: 200 }, (_, seed) => seed).find((seed) =>
  order(shuffleOptions(question(''), seed))
    .split('')
    .every((id, i) => id !== 'ABCD'[i]),
)
const made = (analysis: string, more?: Partial<ChoiceQuestion>, shared?: string) =>
  shuffleOptions(question(analysis, more), SEED ?? 0, shared)
const letterOf = (id: string) => 'ABCD'.charAt(order(made('')).indexOf(id))
/** ⟨A⟩ is what the option that was A is called now. */
const now = (text: string) =>
  text.replace(/⟨([A-D]+)⟩/g, (_, ids: string) => ids.split('').map(letterOf).sort().join(''))

describe('an order of options', () => {
  test('is the same for the same seed, and another for another question', () => {
    expect(order(made(''))).toBe(order(made('')))
    const orders = Array.from({ length: 24 }, (_, i) => order(made('', { no: `Q${i}` })))
    expect(new Set(orders).size).toBeGreaterThan(5)
  })
  test('keeps ids with their texts, and the key', () => {
    const { options, key } = made('')
    expect(options.toSorted((a, b) => (a.id < b.id ? -1 : 1))).toEqual(question('').options)
    expect(key).toEqual(['B'])
  })
  test('that was dealt before an update is the same after it', () => {
    // A batch is kept by its seed alone.
    const dealt = (text: string, of: string) => shuffled(of.split(''), seeded(text)).join('')
    expect(dealt('7:Q1', 'ABCD')).toBe('DBAC')
    expect(dealt('2147483648:L_q9', 'ABCDEFGH')).toBe('BDHGCFAE')
    expect(dealt('20000:L_demo', '123456789')).toBe('478639521')
  })
  test('gives every place to every option about as often', () => {
    const places = Array.from({ length: 4000 }, (_, i) => shuffled([0, 1, 2, 3], seeded(`${i}`)).indexOf(0))
    for (const place of [0, 1, 2, 3]) expect(places.filter((each) => each === place).length / 4000).toBeCloseTo(0.25, 1)
  })
  test('is that of the bank when an option is called by a letter in its own text', () => {
    const options = question('').options.map((option) => (option.id === 'D' ? { ...option, html: 'AB型' } : option))
    expect(order(made('', { options }))).not.toBe('ABCD')
  })
  test('is never given to a judgement', () => {
    const judge = question('', { type: 'judge', options: question('').options.slice(0, 2), key: ['A'] })
    expect(shuffleOptions(judge, 1)).toBe(judge)
  })
})

describe('letters in an analysis follow their options', () => {
  test.each([
    ['<p>故选⟨B⟩。</p>'],
    ['<p>故选：⟨B⟩</p>'],
    ['<p>答案为⟨AC⟩。</p>'],
    ['<p>⟨A⟩项错误，偷换概念；⟨B⟩、⟨C⟩两项与题意无关。</p>'],
    ['<p>⟨A⟩、⟨C⟩正确，⟨B⟩错误，⟨D⟩不符合题意。</p>'],
    ['<p>⟨A⟩．不是；</p><p>⟨B⟩．正是；</p>'],
    ['<p><b>⟨A⟩</b>项错误。</p>'],
    ['<p>⟨A⟩错，⟨B⟩对。</p>'],
    ['<p>排除⟨A⟩、⟨D⟩，本题选⟨B⟩</p>'],
    ['<p>逐项分析<br>⟨A⟩．不是</p><p>因为 <math><mi>x</mi><mo>=</mo><mn>1</mn></math>。<br>⟨B⟩．正是</p>'],
    ['<p>由 <math><mi>x</mi></math>⟨B⟩项可知</p>'],
    ['<p>AA制与⟨B⟩项无关。</p>'],
    ['<p>选项⟨C⟩与题意不符。 AB型血、U 形管、Twice 与此无关，3A 也是。</p>'.replace('AB型血、', '')],
  ])('%s', (text) => {
    const plain = text.replace(/[⟨⟩]/g, '')
    expect(made(plain).analysis).toBe(now(text))
    expect(order(made(plain))).not.toBe('ABCD')
  })
  test('several letters together stay in the order of the alphabet', () => {
    const given = question('<p>故选ACD。</p>', { type: 'multiple', key: ['A', 'C', 'D'] })
    const told = Array.from({ length: 24 }, (_, seed) => shuffleOptions(given, seed).analysis)
    for (const text of told) expect(text).toMatch(/^<p>故选A?B?C?D?。<\/p>$/)
    expect(new Set(told).size).toBe(4)
  })
  test('full-width letters are letters', () => expect(made('<p>故选Ｂ。</p>').analysis).toBe(now('<p>故选⟨B⟩。</p>')))
  test('formulae and attributes are left alone', () => {
    const text = '<p><img src="/A.png" alt="A项"><math><mi>A</mi><mo>∩</mo><mi>B</mi></math>，⟨C⟩项对。</p>'
    expect(made(text.replace(/[⟨⟩]/g, '')).analysis).toBe(now(text))
  })
})

describe('reasons of options', () => {
  const reasoned = (why: string): Partial<ChoiceQuestion> => ({
    options: question('').options.map((option) => (option.id === 'C' ? { ...option, why } : option)),
  })
  const whys = ({ options }: ChoiceQuestion) => options.flatMap(({ id, why }) => (why ? [[id, why]] : []))
  test('go with their options, and letters in them follow', () => {
    const text = '<p>⟨C⟩项错误，与⟨B⟩项正好相反。</p>'
    const shuffled = made('<p>故选B。</p>', reasoned(text.replace(/[⟨⟩]/g, '')))
    expect(whys(shuffled)).toEqual([['C', now(text)]])
    expect(shuffled.analysis).toBe(now('<p>故选⟨B⟩。</p>'))
  })
  test('that may mean something else by a letter keep the bank’s order', () => {
    expect(order(made('', reasoned('<p>由A、B两点电势相等。</p>')))).toBe('ABCD')
  })
})

describe('what cannot be told apart keeps the bank’s order', () => {
  const stays = (made: ChoiceQuestion) => expect(order(made)).toBe('ABCD')
  test.each([
    '<p>由A、B两点电势相等。</p>',
    '<p>A对B的作用力等于B对A的作用力。</p>',
    '<p>选A为研究对象，受力平衡。</p>',
    '<p>故选 <math><mi>B</mi></math>。</p>',
    '<p>A soldier must obey.</p>',
    '<p>第二项正确。</p>',
    '<p>前两项属于同一类。</p>',
    '<p>血型为AB型。</p>',
    '<p>故选 <math><mi>A</mi><mi>C</mi></math>。</p>',
  ])('the analysis says: %s', (text) => stays(made(text)))
  test.each(['以上都对', 'A和B', 'AC', 'ABD', '前两项都是', 'All of the above', 'B', '甲、乙选项均正确'])(
    'an option says: %s',
    (html) => stays(made('', { options: [...question('').options.slice(0, 3), { id: 'D', html }] })),
  )
  test.each([
    '关于A项，下列正确的是',
    '关于 B 选项，下列正确的是',
    '与选项C意思相同的是',
    '与选项 D 意思相同的是',
    '第二项与前两项的关系是',
    '与最后一项同类的是',
  ])('the stem speaks of an option or of its place: %s', (stem) => stays(made('', { stem: `<p>${stem}</p>` })))
  test('the analysis of the whole material names letters', () => stays(made('', {}, '<p>1．选B。2．选C。</p>')))
})

const FOLDER = 'server/demo/content'
test('of the demo banks nearly every choice can be shuffled, and no text of theirs is bent', async () => {
  const files = readdirSync(FOLDER).filter((name) => name.endsWith('.json'))
  const checked = await Promise.all(files.map((name) => checkFile(path.join(FOLDER, name), null)))
  const choices = checked
    .flatMap(({ placed }) => placed.flatMap(({ question }) => partsOf(question)))
    .flatMap((part) => (isChoice(part) && part.type !== 'judge' ? [part] : []))
  const results = choices.map((given) => ({ given, made: shuffleOptions(given, 7) }))
  expect(choices.length).toBeGreaterThan(150)
  // Such as a set called A, a vitamin, a base, the nodes of a graph or the tasks of a plan: letters that may be options'.
  expect(results.filter(({ given, made }) => given === made).length).toBeLessThan(choices.length / 40)
  const textsOf = ({ analysis, options }: ChoiceQuestion) => [analysis, ...options.map(({ why }) => why ?? '').sort()]
  for (const { given, made } of results) expect(textsOf(made)).toEqual(textsOf(given))
})
