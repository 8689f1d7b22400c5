import { mkdtempSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { checkFile } from '#server/content/bank/import.ts'
import { foreignLibrary } from '#tests/support/library.ts'

const folder = mkdtempSync(path.join(os.tmpdir(), 'lijian-missing-'))
writeFileSync(path.join(folder, 'a.mp3'), 'ID3')
writeFileSync(path.join(folder, 'a.svg'), '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 3"/>')
let files = 0
async function warnings(ending: string, content: string): Promise<string[]> {
  const file = path.join(folder, `${++files}.${ending}`)
  writeFileSync(file, content)
  const { findings } = await checkFile(file, foreignLibrary('M'))
  return findings.map(({ reason }) => reason).filter((reason) => reason.startsWith('说到'))
}
const row = (stem: string, a = '甲') => warnings('csv', `题干,A,B,答案\n"${stem}",${a},乙,A\n`)

describe('what a question speaks of and does not have is told', () => {
  test.each([
    ['如图，小球由静止释放，则', '说到图，但没有图片'],
    ['下图中表示光合作用的是', '说到图，但没有图片'],
    ['如右图所示的电路中', '说到图，但没有图片'],
    ['See the figure below. Which is right?', '说到图，但没有图片'],
    ['听录音，选择正确答案', '说到录音，但题目里没有录音'],
    ['听第 6 段对话，回答问题', '说到录音，但题目里没有录音'],
    ['下列句子中划线的词语使用正确的是', '说到划线，但没有划线的文字'],
    ['The underlined word means', '说到划线，但没有划线的文字'],
    ['根据上述材料，作者的观点是', '说到材料，但这道题没有材料'],
    ['阅读下列材料，回答问题。', '说到材料，但这道题没有材料'],
  ])('%s', async (stem, reason) => expect(await row(stem)).toEqual([reason]))

  test.each([
    ['如图，<img src=""a.svg"">小球由静止释放', '甲'],
    ['下列各图中正确的如图所示', '[img:a.svg]'],
    ['听录音，选择正确答案<audio src=a.mp3></audio>', '甲'],
    // That it could not be used is told already.
    ['听录音，选择正确答案<audio src=b.mp3></audio>', '甲'],
    ['古代最早的如图书馆一样的机构', '甲'],
    ['从地图中看，最大的岛是', '甲'],
    ['在 1∶25000 地形图上图上面积是', '甲'],
    ['下列句子中<u>划线</u>的词语', '甲'],
    ['划线处应填入的是：春天____来了', '甲'],
    [`阅读下列材料：${'一九二七年八月一日，南昌起义打响了武装反抗国民党反动派的第一枪。'.repeat(2)}作者的观点是`, '甲'],
    ['下列材料中，导电性能最好的是铜还是铝这样的材料', '甲'],
  ])('%s: nothing is', async (stem, a) => expect(await row(stem, a)).toEqual([]))

  test('the material of a 材料题 has it for all its questions', async () => {
    const table = (material: string) =>
      `材料编号,材料,题干,A,B,答案\nm,${material},图中甲是,一,二,A\nm,,根据材料乙是,一,二,A\n`
    expect(await warnings('csv', table('<img src=a.svg>'))).toEqual([])
    expect(await warnings('csv', table('某图'))).toEqual(['说到图，但没有图片'])
  })

  test('in a paper and in GIFT as well', async () => {
    expect(await warnings('txt', '1．如图，甲是（ A ）。\nA．一 B．二\n')).toEqual(['说到图，但没有图片'])
    expect(await warnings('gift', '如图，甲是{=一 ~二}\n')).toEqual(['说到图，但没有图片'])
  })
})
