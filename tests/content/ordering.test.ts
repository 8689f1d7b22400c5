import { mkdtempSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { checkFile } from '#server/content/bank/import.ts'
import { foreignLibrary } from '#tests/support/library.ts'
import { rightOrderOf } from '#tests/support/questions.ts'

const folder = mkdtempSync(path.join(os.tmpdir(), 'lijian-ordering-'))
let files = 0
async function table(answer: string, analysis = '略') {
  const file = path.join(folder, `${++files}.csv`)
  const cells = ['排序题', '把下列事件按先后排列', '古田会议', '南昌起义', '三湾改编', answer, analysis]
  writeFileSync(file, `题型,题干,选项A,选项B,选项C,答案,解析\n${cells.join(',')}\n`)
  const { placed, findings } = await checkFile(file, foreignLibrary('O'))
  return { question: placed[0]?.question, findings: findings.map(({ reason }) => reason) }
}

test.each(['BCA', 'B→C→A', 'B-C-A', 'b、c、a', 'Ｂ　Ｃ　Ａ', 'B > C > A'])(
  'an order written %s keeps its options as they are listed',
  async (answer) => {
    const { question, findings } = await table(answer)
    expect(findings).toEqual([])
    expect(question).toMatchObject({
      type: 'order',
      options: [
        { id: 'A', html: '古田会议' },
        { id: 'B', html: '南昌起义' },
        { id: 'C', html: '三湾改编' },
      ],
      key: ['B', 'C', 'A'],
    })
  },
)

test('options that are listed in the right order are shuffled, alike at each import', async () => {
  const { question } = await table('ABC')
  expect(rightOrderOf(question)).toEqual(['古田会议', '南昌起义', '三湾改编'])
  expect(question).not.toMatchObject({ key: ['A', 'B', 'C'] })
  expect((await table('A→B→C')).question).toEqual(question)
})

test('an analysis that names letters of shuffled options is a finding', async () => {
  const { findings } = await table('ABC', '应为A→B→C')
  expect(findings).toEqual(['选项按正确的顺序列出，已打乱；解析里写的字母请核对'])
  expect((await table('BCA', '应为B→C→A')).findings).toEqual([])
})

test.each([
  ['', /^缺少答案；选项已按正确的顺序列出的，答案写 ABC$/],
  ['BC', /^排序题的答案要把每一项的字母按正确的顺序各写一次，如“CBA”$/],
  ['BCB', /各写一次/],
  ['BCD', /各写一次/],
  ['先南昌起义', /各写一次/],
])('the answer %j is refused and says what to write', async (answer, why) => {
  const { question, findings } = await table(answer)
  expect(question).toBeUndefined()
  expect(findings).toEqual([expect.stringMatching(why)])
})
