import { mkdtempSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { asksForComposition, lengthIn } from '#server/content/composition.ts'
import { checkFile } from '#server/content/bank/import.ts'
import { reviewPage } from '#server/content/bank/reviewPage.ts'
import { foreignLibrary } from '#tests/support/library.ts'

const folder = mkdtempSync(path.join(os.tmpdir(), 'lijian-composition-'))
let files = 0
async function read(ending: string, text: string) {
  const file = path.join(folder, `${++files}.${ending}`)
  writeFileSync(file, text)
  const checked = await checkFile(file, ending === 'json' ? null : foreignLibrary('W'))
  const reasons = checked.findings.map(({ reason }) => reason)
  return { checked, questions: checked.placed.map(({ question }) => question), reasons }
}
const table = (type: string, stem: string, words = '', scoring = '') =>
  read('csv', `题型,题干,答案,解析,字数要求,采分点\n${type},"${stem}",范文,略,${words},"${scoring}"\n`)
const least = (n: number) => ({ unit: 'characters', least: n })

test.each([
  ['写一篇不少于800字的文章', least(800)],
  ['写一篇不少于 800 个字的文章', least(800)],
  ['字数 700 字以上', least(700)],
  ['不少于800字，不超过1000字', { unit: 'characters', least: 800, most: 1000 }],
  ['600～800字', { unit: 'characters', least: 600, most: 800 }],
  ['800字左右', { unit: 'characters', about: 800 }],
  ['词数 80～110，内容包括', { unit: 'words', least: 80, most: 110 }],
  ['词数100左右', { unit: 'words', about: 100 }],
  ['Write at least 120 words', { unit: 'words', least: 120 }],
  ['about 100 words', { unit: 'words', about: 100 }],
  ['不超过 200 字', { unit: 'characters', most: 200 }],
  ['no less than 100 words', { unit: 'words', least: 100 }],
  ['not less than 120 words', { unit: 'words', least: 120 }],
  ['no more than 120 words', { unit: 'words', most: 120 }],
  ['80 to 100 words', { unit: 'words', least: 80, most: 100 }],
  ['不多于800字', { unit: 'characters', most: 800 }],
  ['不得多于200字', { unit: 'characters', most: 200 }],
  ['用时不少于30分钟', undefined],
  ['至少写100分钟的事，不少于600', { unit: 'characters', least: 600 }],
  ['2026 年的材料有 25 字的题目', undefined],
])('%s says how long it shall be', (text, length) => {
  expect(lengthIn(text)).toEqual(length)
})

test.each(['作文', '写作', '书面表达', 'composition'])(
  'the type %s is a composition, as long as its stem says',
  async (type) => {
    const { questions, reasons } = await table(type, '以《底气》为题写一篇不少于800字的文章')
    expect(reasons).toEqual([])
    expect(questions).toMatchObject([{ type: 'essay', reference: '范文', composition: { length: least(800) } }])
  },
)

test('its own field says more than its stem; one that cannot be read is refused', async () => {
  const { questions } = await table('作文', '以《底气》为题写一篇不少于800字的文章', '60～90词')
  expect(questions).toMatchObject([{ composition: { length: { unit: 'words', least: 60, most: 90 } } }])
  expect((await table('作文', '写一篇文章', '700')).questions).toMatchObject([{ composition: { length: least(700) } }])
  expect((await table('作文', '写一篇文章', '很多')).reasons).toEqual([
    expect.stringMatching(/^字数要求“很多”无法识别/),
  ])
})

test('scores that fall from one 类文 to the next are grades; points of content and language are not', async () => {
  const grades = await table('作文', '写一篇文章', '', '一类文：切合题意（54分）\n二类文：基本切合（45分）')
  expect(grades.questions).toMatchObject([
    { composition: { graded: true }, scoring: [{ score: 5400 }, { score: 4500 }] },
  ])
  const points = await table('作文', '写一篇文章', '', '内容（30分）\n语言（20分）')
  expect(points.questions).toMatchObject([{ composition: {}, scoring: [{ score: 3000 }, { score: 2000 }] }])
})

test('a file that names no type has a composition where one of some length is to be written', async () => {
  expect((await table('', '请写一封不少于300字的信')).questions).toMatchObject([
    { composition: { length: least(300) } },
  ])
  expect((await table('', '用不超过200字概括材料')).questions[0]).not.toHaveProperty('composition')
  expect((await table('简答题', '请写一封不少于300字的信')).questions[0]).not.toHaveProperty('composition')
  const gift = await read('gift', '::一::请写一封不少于300字的信{####范文}\n')
  expect(gift.questions).toMatchObject([{ type: 'essay', composition: { length: least(300) }, reference: '范文' }])
})

test('a paper’s section, model and standard are read, and what its passages are called', async () => {
  const { questions } = await read(
    'txt',
    '一、阅读理解\n阅读下面的短文，回答1-2题。\n短文在这里，说的是一件小事，句子够长，读得下去。\n1．他去了哪里？\nA．家\nB．店\n答案：A\n2．他走了吗？\nA．走了\nB．没走\n答案：B\n' +
      '二、写作\n3．以《底气》为题，写一篇不少于800字的文章。\n评分标准：内容（30分）\n语言（20分）\n范文：底气是练出来的。\n',
  )
  expect(questions).toMatchObject([
    { type: 'composite', kind: 'reading', parts: [{ type: 'single' }, { type: 'single' }] },
    {
      type: 'essay',
      reference: '底气是练出来的。',
      scoring: [{ html: '内容', score: 3000 }, { score: 2000 }],
      composition: { length: least(800) },
    },
  ])
})

test('a standard in prose stands below the reference, and the operator is told', async () => {
  const { questions, reasons } = await read(
    'txt',
    '一、简答题\n1．说说南昌起义的意义。\n答案：打响第一枪。\n评分标准：言之有理即可，每点2分。\n',
  )
  expect(questions).toMatchObject([{ type: 'essay', scoring: [] }])
  expect(questions[0]).toHaveProperty('reference', expect.stringMatching(/打响第一枪。[\s\S]*评分标准：言之有理即可/))
  expect(reasons).toContainEqual(expect.stringContaining('评分标准不是每条都有分值'))
})

test('a paper of compositions alone is a paper, and an example in a prompt belongs to it', async () => {
  const { questions } = await read(
    'txt',
    '二、写作\n1．仿照例文写一段不少于100字的话。\n例文：春天来了。\n2．以《路》为题写一篇不少于800字的文章。\n',
  )
  expect(questions).toMatchObject([
    { stem: expect.stringContaining('例文：春天来了。'), composition: { length: least(100) } },
    { composition: { length: least(800) } },
  ])
})

test('of three answers for one number none is taken, even if two of them agree', async () => {
  const { questions } = await read(
    'txt',
    '1．题一\nA．甲\nB．乙\n2．题二\nA．丙\nB．丁\n参考答案\n1. A 2. B\n1. B 2. B\n1. B 2. B\n',
  )
  expect(questions).toMatchObject([{ stem: '题二' }])
})

test('the page for the teacher shows what is wanted, the model and the standard', async () => {
  const { checked } = await table('作文', '写一篇文章', '不少于700字', '内容（30分）')
  const page = [...reviewPage([checked])].join('')
  for (const text of [
    '<span class="type">作文</span>',
    '<b>字数要求</b>不少于 700 字',
    '<b>范文</b>',
    '<b>评分标准</b>',
  ])
    expect(page).toContain(text)
})

test('an essay is no composition for speaking of words alone', () => {
  expect(asksForComposition('谈谈你对“不少于两点”的理解，不超过 200 字')).toBe(false)
})
