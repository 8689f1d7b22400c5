import { mkdtempSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { checkFile } from '#server/content/bank/import.ts'
import { foreignLibrary } from '#tests/support/library.ts'

const folder = mkdtempSync(path.join(os.tmpdir(), 'lijian-gaps-'))
let files = 0
async function read(content: string, ending = 'csv') {
  const file = path.join(folder, `${++files}.${ending}`)
  writeFileSync(file, content)
  const { placed, findings } = await checkFile(file, foreignLibrary('G'))
  return {
    questions: placed.map(({ question }) => question),
    findings: findings.map(({ reason }) => reason).filter((reason) => reason !== '没有解析'),
  }
}
const blank = (stem: string, answer: string) => read(`题型,题干,答案\n填空题,"${stem}","${answer}"\n`)

describe('as many answers as gaps', () => {
  test.each([
    ['____年，____打响', '1927', '题干有 2 空（____），答案读成 1 个：“1927”。各空请用分号分开'],
    [
      '三大法宝是（　）、（　）、（　）。',
      '统一战线、武装斗争、党的建设',
      '题干有 3 空（（ ）），答案读成 1 个：“统一战线、武装斗争、党的建设”；按顿号、逗号分开是 3 个：“统一战线”“武装斗争”“党的建设”。各空请用分号分开',
    ],
    [
      '【1】会议确立了【2】',
      '古田;思想建党;政治建军',
      '题干有 2 空（【1】），答案读成 3 个：“古田”“思想建党”“政治建军”。各空请用分号分开',
    ],
    [
      '起义在____',
      '南昌;八一//八一南昌',
      '题干有 1 空（____），答案读成 2 个：“南昌”“八一/八一南昌”。各空请用分号分开',
    ],
  ])('%s with %s is told in both readings', async (stem, answer, reason) => {
    expect((await blank(stem, answer)).findings).toEqual([reason])
  })

  test.each([
    ['____年，____打响', '1927;南昌起义'],
    ['__1__年，___2___打响', '1927;南昌起义'],
    ['____（地名）起义在____年', '南昌;1927'],
    ['没有标出空的题', '甲;乙'],
  ])('%s with %s fits', async (stem, answer) => {
    expect((await blank(stem, answer)).findings).toEqual([])
  })
})

describe('letters before options are taken off', () => {
  test.each([
    ['A.甲,B.乙,C.丙,D.丁'],
    ['A、甲,B、乙,C、丙,D、丁'],
    ['（A）甲,（B）乙,（C）丙,（D）丁'],
    ['【A】甲,[B]乙,［C］丙,D)丁'],
    ['a. 甲,b. 乙,c) 丙,d：丁'],
    ['Ａ．甲,Ｂ．乙,Ｃ．丙,Ｄ．丁'],
    ['A 甲,B 乙,C 丙,D 丁'],
    ['A.甲,乙,C.丙,D.丁'],
    ['<p>A. 甲</p>,<p>B. 乙</p>,<p>C. 丙</p>,<p>D. 丁</p>'],
  ])('in cells of their own: %s', async (cells) => {
    const { questions } = await read(`题干,A,B,C,D,答案\n选哪个,${cells},C\n`)
    const [question] = questions
    expect(
      question && 'options' in question && question.options.map(({ html }) => html.replaceAll(/<[^>]*>/g, '')),
    ).toEqual(['甲', '乙', '丙', '丁'])
  })

  test.each([['A few,Many,None,Some'], ['C. elegans,B. subtilis,E. coli,A. niger'], ['A. niger,E. coli,某菌,某虫']])(
    'a text that only begins like one stays: %s',
    async (cells) => {
      const { questions } = await read(`题干,A,B,C,D,答案\n选哪个,${cells},C\n`)
      const [question] = questions
      expect(question && 'options' in question && question.options.map(({ html }) => html).join(',')).toBe(cells)
    },
  )

  test('in GIFT', async () => {
    const { questions } = await read('选哪个{=A. 甲 ~B. 乙 ~C. 丙}\n', 'gift')
    expect(questions).toMatchObject([{ options: [{ html: '甲' }, { html: '乙' }, { html: '丙' }] }])
  })
})
