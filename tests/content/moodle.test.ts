import { mkdtempSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { checkFile } from '#server/content/bank/import.ts'
import { foreignLibrary } from '#tests/support/library.ts'
import { rightOrderOf } from '#tests/support/questions.ts'
import { plainText } from '#src/domain/text/plainText.ts'

const folder = mkdtempSync(path.join(os.tmpdir(), 'lijian-moodle-'))
const options = foreignLibrary('M')
let files = 0
async function read(...questions: string[]) {
  const file = path.join(folder, `${++files}.xml`)
  writeFileSync(file, `<?xml version="1.0" encoding="UTF-8"?>\n<quiz>\n${questions.join('\n')}\n</quiz>`)
  const { bank, placed, findings, pictures } = await checkFile(file, options)
  const reasons = (level: string) =>
    findings.flatMap((each) => (each.level === level ? `${each.at} ${each.reason}` : []))
  return {
    bank,
    pictures,
    questions: placed.map(({ question }) => question),
    placed,
    faults: reasons('fault'),
    warnings: reasons('warning').filter((reason) => !reason.endsWith('没有解析')),
  }
}
const field = (name: string, text: string, more = ''): string =>
  `<${name} format="html"><text><![CDATA[${text}]]></text>${more}</${name}>`
const question = (type: string, stem: string, rest: string): string =>
  `<question type="${type}"><name><text>题</text></name>${field('questiontext', stem)}${rest}</question>`
const answer = (fraction: number, text: string, told = ''): string =>
  `<answer fraction="${fraction}" format="html"><text><![CDATA[${text}]]></text>${field('feedback', told)}</answer>`

describe('a question of Moodle', () => {
  test('of one choice, with what is told of it and of each option, and without what Moodle says by itself', async () => {
    const { questions, faults } = await read(
      question(
        'multichoice',
        '<p>南昌起义发生在哪一年？</p>',
        [
          '<single>true</single>',
          field('generalfeedback', '<p>1927年8月1日。</p>'),
          field('correctfeedback', '<p>Your answer is correct.</p>'),
          answer(0, '<p>1921年</p>', '<p>那是建党。</p>'),
          answer(100, '<p>1927年</p>'),
        ].join(''),
      ),
    )
    expect(faults).toEqual([])
    expect(questions).toMatchObject([
      {
        type: 'single',
        analysis: '<p>1927年8月1日。</p>',
        options: [{ html: '<p>1921年</p>', why: '<p>那是建党。</p>' }, { html: '<p>1927年</p>' }],
        key: ['B'],
      },
    ])
  })

  test('of several choices, each earning a part', async () => {
    const { questions } = await read(
      question(
        'multichoice',
        '哪些是质数？',
        `<single>false</single>${answer(50, '2')}${answer(50, '3')}${answer(-100, '4')}`,
      ),
    )
    expect(questions).toMatchObject([{ type: 'multiple', key: ['A', 'B'] }])
  })

  test('of one choice with two that are wholly right is told', async () => {
    const { questions, faults } = await read(
      question(
        'multichoice',
        '哪个是质数？',
        `<single>true</single>${answer(100, '2')}${answer(100, '3')}${answer(0, '4')}`,
      ),
    )
    expect(questions).toEqual([])
    expect(faults).toEqual(['第3行 单选题有多个满分答案，请改为多选题（single 为 false）'])
  })

  test('of true and false', async () => {
    const { questions } = await read(
      question(
        'truefalse',
        '光在真空中比在水中快。',
        answer(100, 'true', '对，水的折射率大于1。') + answer(0, 'false'),
      ),
      question('truefalse', '声音在真空中传播。', answer(0, 'true') + answer(100, 'false', '真空里没有介质。')),
    )
    expect(questions).toMatchObject([
      { type: 'judge', key: ['A'], options: [{ why: '对，水的折射率大于1。' }, {}] },
      { type: 'judge', key: ['B'], options: [{}, { why: '真空里没有介质。' }] },
    ])
  })

  test('of a word or a number: all that earns everything is accepted, and what is lost is told', async () => {
    const { questions, warnings } = await read(
      question(
        'shortanswer',
        '我国的首都是____。',
        answer(100, '北京') + answer(100, '北京市') + answer(0, '*', '再想想'),
      ),
      question('shortanswer', '以“中”开头的词：', answer(100, '中*')),
      question('shortanswer', '乘号：', answer(100, '3\\*4')),
      question(
        'numerical',
        '$\\pi$ 约为____。',
        `<answer fraction="100"><text>3.14</text><tolerance>0.01</tolerance></answer>`,
      ),
    )
    expect(questions).toMatchObject([
      { type: 'blank', blanks: [['北京', '北京市']] },
      { blanks: [['中*']] },
      { blanks: [['3*4']] },
      { blanks: [['3.14']] },
    ])
    expect(warnings).toEqual(['第4行 简答答案中的通配符 * 按原文保留', '第6行 数值题的误差范围没有保留，只收中心值'])
  })

  test('that matches becomes a choice for each left side; a right side of its own misleads', async () => {
    const pair = (left: string, right: string) =>
      `<subquestion format="html"><text>${left}</text><answer><text>${right}</text></answer></subquestion>`
    const { questions } = await read(
      question('matching', '连线', pair('李白', '诗仙') + pair('杜甫', '诗圣') + pair('', '诗鬼')),
    )
    expect(questions).toMatchObject([
      {
        type: 'composite',
        parts: [
          { stem: '李白', options: [{ html: '诗仙' }, { html: '诗圣' }, { html: '诗鬼' }], key: ['A'] },
          { stem: '杜甫', key: ['B'] },
        ],
      },
    ])
  })

  test('with gaps to write in is a 填空题', async () => {
    const { questions, warnings } = await read(
      question(
        'cloze',
        '水的化学式是{1:SHORTANSWER:=H2O#对~%100%h2o~%50%HO#差一个}，沸点是{2:NUMERICAL:=100:0.5}℃。',
        field('generalfeedback', '标准大气压下。'),
      ),
    )
    expect(questions).toMatchObject([
      { type: 'blank', stem: '水的化学式是（1）____，沸点是（2）____℃。', blanks: [['H2O', 'h2o'], ['100']] },
    ])
    expect(plainText(questions[0]?.analysis ?? '')).toContain('标准大气压下。')
    expect(warnings.map((reason) => reason.slice(4))).toEqual([
      '只得部分分数的答案不算正确，其权重没有保留',
      '数值题的误差范围没有保留，只收中心值',
    ])
  })

  test('with gaps to choose for is a 材料题, one 小题 a gap', async () => {
    const { questions } = await read(
      question('cloze', 'He {1:MULTICHOICE:is~=was#past\\~tense~%0%were} {1:MCV:=here~there} yesterday.', ''),
      question(
        'gapselect',
        'She [[2]] to school by [[3]].',
        ['go', 'goes'].map((word) => `<selectoption><text>${word}</text><group>1</group></selectoption>`).join('') +
          ['bus', 'ship'].map((word) => `<selectoption><text>${word}</text><group>2</group></selectoption>`).join(''),
      ),
    )
    expect(questions).toMatchObject([
      {
        type: 'composite',
        stem: 'He （1）____ （2）____ yesterday.',
        parts: [
          {
            stem: '第（1）空',
            options: [{ html: 'is' }, { html: 'was', why: 'past~tense' }, { html: 'were' }],
            key: ['B'],
          },
          { key: ['A'] },
        ],
      },
      {
        parts: [
          { options: [{ html: 'go' }, { html: 'goes' }], key: ['B'] },
          { options: [{ html: 'bus' }, { html: 'ship' }], key: ['A'] },
        ],
      },
    ])
  })

  test('with gaps of every way to write and to choose, whose words may hold the signs of the format', async () => {
    const { questions, faults } = await read(
      question('cloze', '集合{1:SA:=\\{1,2\\}}与{1:MW:=空集#不含元素}', ''),
      question('cloze', '选出质数{1:MULTIRESPONSE:=2~=3~4}和偶数{1:MR_H:3~=4}', ''),
    )
    expect(faults).toEqual([])
    expect(questions).toMatchObject([
      { type: 'blank', stem: '集合（1）____与（2）____', blanks: [['{1,2}'], ['空集']] },
      {
        type: 'composite',
        parts: [
          { type: 'multiple', key: ['A', 'B'] },
          { options: [{ html: '3' }, { html: '4' }], key: ['B'] },
        ],
      },
    ])
  })

  test('explains itself by all that its author wrote for whoever has answered, each thing once', async () => {
    const { questions } = await read(
      question(
        'multichoice',
        '哪个是质数？',
        [
          '<single>true</single>',
          field('generalfeedback', '<p>质数只有两个因数。</p>'),
          field('correctfeedback', '<p>2 是唯一的偶质数。</p>'),
          field('incorrectfeedback', '<p>质数只有两个因数。</p>'),
          answer(100, '2') + answer(0, '4'),
        ].join(''),
      ),
      question(
        'multichoice',
        '哪个是合数？',
        field('incorrectfeedback', '<p>4 等于 2 乘 2。</p>') + answer(100, '4') + answer(0, '3'),
      ),
    )
    expect(questions.map(({ analysis }) => plainText(analysis))).toEqual([
      '质数只有两个因数。 2 是唯一的偶质数。',
      '4 等于 2 乘 2。',
    ])
  })

  test('in plain text shows the signs that its author typed', async () => {
    const { questions } = await read(
      question('essay', '', '').replace(
        field('questiontext', ''),
        '<questiontext format="plain_text"><text><![CDATA[<b> 是加粗的标记，R&D 不是，对吗？]]></text></questiontext>',
      ),
    )
    expect(plainText(questions[0]?.stem ?? '')).toBe('<b> 是加粗的标记，R&D 不是，对吗？')
  })

  test('keeps its category as chapters, its tags as points, its lines of code, and no script', async () => {
    const { bank, questions } = await read(
      '<question type="category"><category><text>$course$/top/第一章/输入//输出</text></category></question>',
      question(
        'essay',
        '<pre>int a;\nint b;</pre><script>alert(1)</script>',
        `${field('graderinfo', '<p>参考</p>')}<tags><tag><text>指针</text></tag></tags>`,
      ),
    )
    expect(bank?.chapters.map(({ title }) => title)).toEqual(['第一章', '输入／输出'])
    expect(questions).toMatchObject([
      { type: 'essay', stem: '<pre>int a;\nint b;</pre>', reference: '<p>参考</p>', points: [{ name: '指针' }] },
    ])
  })

  test('brings its pictures along, and says which of its files it leaves', async () => {
    const [png, gif] = ['picture', 'moving'].map((text) => Buffer.from(text).toString('base64'))
    const { questions, pictures, warnings } = await read(
      question('essay', '', '').replace(
        field('questiontext', ''),
        field(
          'questiontext',
          '<p>如图<img src="@@PLUGINFILE@@/%E5%9B%BE.png" alt="力"/><img src="@@PLUGINFILE@@/B.GIF"/></p>',
          `<file name="图.png" path="/" encoding="base64">${png}</file><file name="B.GIF" path="/" encoding="base64">${gif}</file><file name="a.mp3" path="/" encoding="base64">AA==</file>`,
        ),
      ),
    )
    expect([...pictures.values()].map(String)).toEqual(['picture', 'moving'])
    expect(questions[0]?.stem).toMatch(
      /^<p>如图<img src="\/media\/[0-9a-f]{32}\.png" alt="力" \/><img src="\/media\/[0-9a-f]{32}\.gif" \/><\/p>$/,
    )
    expect(warnings).toContain('第3行 附件不是能用的图片，未导入：a.mp3')
  })

  test('tells pictures of one name in different folders apart', async () => {
    const packed = (folder: string, bytes: string) =>
      `<file name="图.png" path="${folder}" encoding="base64">${Buffer.from(bytes).toString('base64')}</file>`
    const { pictures, questions } = await read(
      question('essay', '', '').replace(
        field('questiontext', ''),
        field(
          'questiontext',
          '<p><img src="@@PLUGINFILE@@/甲/图.png"/>与<img src="@@PLUGINFILE@@/乙/图.png"/></p>',
          packed('/甲/', 'first') + packed('/乙/', 'second'),
        ),
      ),
    )
    const shown = [...(questions[0]?.stem ?? '').matchAll(/\/media\/([0-9a-f]{32}\.png)/g)].map(([, name = '']) => name)
    expect(shown.map((name) => String(pictures.get(name)))).toEqual(['first', 'second'])
  })

  test('of the type ordering is a 排序题 whose options are never listed in the right order', async () => {
    const steps = ['准备', '卧倒', '瞄准', '击发']
    const { questions, warnings } = await read(
      question('ordering', '步骤', `<selecttype>RANDOM</selecttype>${steps.map((step) => answer(1, step)).join('')}`),
    )
    expect(questions).toMatchObject([{ type: 'order' }])
    expect(rightOrderOf(questions[0])).toEqual(steps)
    expect(questions[0]).not.toMatchObject({ key: ['A', 'B', 'C', 'D'] })
    expect(warnings).toContainEqual(expect.stringContaining('要求排全部各项'))
  })

  test.each([
    ['calculated', /随机生成/],
    ['ddmarker', /图上/],
    ['nobody-knows', /无法识别/],
  ])('of the type %s is refused and says why', async (type, why) => {
    const { questions, faults } = await read(question(type, '题', answer(100, '1')))
    expect(questions).toEqual([])
    expect(faults).toEqual([expect.stringMatching(why)])
  })

  test.each([
    ['<quiz><question type="essay">', /没有正确结束/],
    ['<quiz><question></quiz>', /没有正确结束/],
    ['<quiz></quiz>', /没有 Moodle 题目/],
    ['这不是 XML', /不是 XML/],
    [`<quiz><question type="essay">${'<b>'.repeat(1000)}`, /太多层/],
    ['<!DOCTYPE q [<!ENTITY e SYSTEM "file:///etc/passwd">]><quiz>&e;</quiz>', /没有 Moodle 题目/],
  ])('in a file that is none is refused with it: %#', async (content, why) => {
    const file = path.join(folder, `${++files}.xml`)
    writeFileSync(file, content)
    const { bank, findings } = await checkFile(file, options)
    expect(bank).toBeNull()
    expect(findings).toMatchObject([{ at: '文件', level: 'fault', reason: expect.stringMatching(why) }])
  })
})
