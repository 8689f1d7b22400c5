import { mkdtempSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { checkFile } from '#server/content/bank/import.ts'
import { Spool } from '#server/content/bank/spool.ts'
import { foreignLibrary } from '#tests/support/library.ts'

const folder = mkdtempSync(path.join(os.tmpdir(), 'lijian-stems-'))

/** Checks rows with options A to D and gives what is told of them. */
async function warningsOf(...rows: string[]): Promise<string[]> {
  const file = path.join(folder, 'stems.csv')
  writeFileSync(file, `题干,选项A,选项B,选项C,选项D,答案,解析\n${rows.map((row) => `${row},有解析`).join('\n')}\n`)
  const { findings } = await checkFile(file, foreignLibrary('S'))
  return findings.map(({ at, reason }) => `${at}：${reason}`)
}

describe('questions of one stem in a file', () => {
  test('the same options in another order are told', async () => {
    expect(
      await warningsOf(
        '南昌起义发生在哪一年？,1921年,1927年,1935年,1949年,B',
        '南昌起义发生在哪一年,1927年,1921年,1935年,1949年,A',
      ),
    ).toEqual(['第3行：与第2行题干和选项相同，选项次序不同，请核对是否重复'])
  })

  test('other options are told when the right one is the same, or half of them are', async () => {
    expect(
      await warningsOf(
        '南昌起义发生在哪一年？,1921年,1927年,1935年,1949年,B',
        '南昌起义发生在哪一年？,1925年,1926年,1927年,1928年,C',
        '南昌起义发生在哪一年？,1921年,1935年,1936年,1946年,A',
      ),
    ).toEqual([
      '第3行：与第2行题干相同，选项不全相同，请核对是否重复',
      '第4行：与第2行题干相同，选项不全相同，请核对是否重复',
    ])
  })

  test('a stem that many questions have says nothing by itself, however long it is', async () => {
    expect(
      await warningsOf(
        '下列词语中加点的字读音全部正确的一项是,甲甲,乙乙,丙丙,丁丁,A',
        '下列词语中加点的字读音全部正确的一项是,子子,丑丑,寅寅,丁丁,B',
      ),
    ).toEqual([])
  })

  test('two that are alike in both ways are told once', async () => {
    const options = '建立人民民主专政的国家政权,实行土地改革,没收官僚资本,镇压反革命'
    const [first, ...rest] = options.split(',')
    expect(
      await warningsOf(
        `新中国成立之初巩固政权的首要举措是什么,${options},A`,
        `新中国成立之初巩固政权的首要举措是什么,${[...rest, first].join(',')},D`,
      ),
    ).toEqual(['第3行：与第2行题干和选项相同，选项次序不同，请核对是否重复'])
  })

  test('of two that it is like in two ways, the one that was told first is named', () => {
    const spool = new Spool()
    for (const at of ['第2行', '第3行', '第4行']) spool.addDraft({ at, stem: '' })
    spool.addNear(3, 2, '题干相同')
    spool.addNear(3, 1, '只差几个字')
    expect([...spool.nearOnes()]).toEqual([{ place: 3, at: '第3行', how: '题干相同' }])
  })
})
