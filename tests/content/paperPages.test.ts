import { describe, expect, test } from 'vitest'
import { plainText } from '#src/domain/text/plainText.ts'
import type { Question } from '#src/contract/question.ts'
import { readPaper } from '#tests/support/readPaper.ts'

async function read(content: string) {
  const { questions, findings } = await readPaper(content)
  return { questions: questions.map(seen), findings }
}
/** Gives of a question what a student sees. */
function seen(question: Question) {
  return {
    type: question.type,
    stem: plainText(question.stem),
    ...('options' in question && { options: question.options.map(({ html }) => plainText(html)) }),
    ...('key' in question && { key: question.key.join('') }),
    ...('blanks' in question && { blanks: question.blanks }),
    ...('reference' in question && { reference: plainText(question.reference) }),
    analysis: plainText(question.analysis),
    points: question.points.map(({ name }) => name),
  }
}

test('a page of 学习通 becomes questions without what it says of the student', async () => {
  const { questions, findings } = await read(`军史单元测验
学生：张三
得分：60
一. 单选题（共2题，4分）
1. (单选题, 2分) 南昌起义发生在（ ）。
A. 1921年
B. 1927年
C. 1935年
D. 1949年
我的答案: C:1935年;
正确答案: B:1927年;
得分：0.0
正确率：63%
答案解析：
1927年8月1日打响第一枪。
知识点：军史；南昌起义
2. (单选题, 2分) 古田会议召开于（ ）。
A. 1927年
B. 1929年
我的答案: B正确答案: B 得分: 2.0分
答题时间：00:12
学生：张三
二. 多选题（共1题，2分）
3. (多选题, 2分)下列属于三大纪律的有：
A. 一切行动听指挥B. 不拿群众一针一线C. 说话和气
我的答案: AC:一切行动听指挥;说话和气; 正确答案: AB:一切行动听指挥;不拿群众一针一线; 得分: 0.0
三. 填空题
4. (填空题, 2分)____年____月，南昌起义打响。
我的答案：
(1) 1926
(2) 9
正确答案：
(1) 1927
(2) 8
得分：0
`)
  expect(findings).toEqual(['warning 第1行 不属于任何题目，未导入：军史单元测验'])
  expect(questions).toEqual([
    {
      type: 'single',
      stem: '南昌起义发生在（ ）。',
      options: ['1921年', '1927年', '1935年', '1949年'],
      key: 'B',
      analysis: '1927年8月1日打响第一枪。',
      points: ['军史', '南昌起义'],
    },
    {
      type: 'single',
      stem: '古田会议召开于（ ）。',
      options: ['1927年', '1929年'],
      key: 'B',
      analysis: '',
      points: [],
    },
    {
      type: 'multiple',
      stem: '下列属于三大纪律的有：',
      options: ['一切行动听指挥', '不拿群众一针一线', '说话和气'],
      key: 'AB',
      analysis: '',
      points: [],
    },
    { type: 'blank', stem: '____年____月，南昌起义打响。', blanks: [['1927'], ['8']], analysis: '', points: [] },
  ])
})

describe('the type that stands at a question', () => {
  test.each([
    ['behind 第8题, in a line of their own', '第8题 (多选题, 2分)\n哪些是质数？\n'],
    ['behind the number', '8. 【多选题】哪些是质数？\n'],
    ['with its score behind it', '8、[多选题] (2分) 哪些是质数？\n'],
    ['below a number alone', '8\n【多选题】哪些是质数？\n'],
    ['without brackets, in the line of the number', '8.多选题 (2分)\n哪些是质数？\n'],
    ['without a number', '【多选题】哪些是质数？\n'],
    ['at the end of the stem', '8. 哪些是质数？ [多选题] *\n'],
  ])('%s', async (_, head) => {
    const { questions, findings } = await read(`${head}A. 2\nB. 3\nC. 4\n正确答案：AB\n`)
    expect(findings).toEqual([])
    expect(questions).toMatchObject([{ type: 'multiple', stem: '哪些是质数？', options: ['2', '3', '4'], key: 'AB' }])
  })

  test('questions that have a type and no number follow each other', async () => {
    const { questions } = await read(
      '【单选题】甲是？\nA. 一\nB. 二\n正确答案：A\n【判断题】乙是丙。\n我的答案：√\n正确答案：×\n【单选题】丁是？\nA. 三\nB. 四\n正确答案：B\n',
    )
    expect(questions).toMatchObject([
      { stem: '甲是？', key: 'A' },
      { type: 'judge', stem: '乙是丙。', key: 'B' },
      { stem: '丁是？', key: 'B' },
    ])
  })
})

describe('what the student has answered', () => {
  test.each(['我的答案: B', '你的答案：B', '我的答案：B:二;', '学生答案：B 得分：2.0', '我的答案 B'])(
    'is no key: %s',
    async (mine) => {
      const { questions, findings } = await read(
        `1. (单选题) 甲是？\nA. 一\nB. 二\n${mine}\n2. (单选题) 乙是？\nA. 三\nB. 四\n我的答案：A\n正确答案：B\n`,
      )
      expect(questions).toMatchObject([{ stem: '乙是？', options: ['三', '四'], key: 'B' }])
      expect(findings).toEqual([expect.stringMatching(/^fault 第1行 文件里只有某个人的作答.*正确答案：/)])
    },
  )

  test('stays out of the reference of an essay, however many lines it has', async () => {
    const { questions } = await read(
      '1. (简答题, 5分) 说说训练为什么要循序渐进。\n我的答案：\n不知道。\n真的不知道。\n正确答案：\n避免受伤。\n得分：0.0\n答案解析：逐步提高。\n',
    )
    expect(questions).toMatchObject([
      {
        type: 'essay',
        stem: '说说训练为什么要循序渐进。',
        reference: '避免受伤。',
        analysis: '逐步提高。',
      },
    ])
  })

  test('a score above the stem is left out, a dialogue and figures of the stem are not', async () => {
    const { questions } = await read(
      '1. (单选题, 2分)\n得分：2.0\n学生：老师，光年是什么？\n正确率：两个都对\nA. 长度\nB. 时间\n我的答案：A\n正确答案：A\n',
    )
    expect(questions).toMatchObject([
      { stem: '学生：老师，光年是什么？ 正确率：两个都对', options: ['长度', '时间'], key: 'A' },
    ])
  })
})

describe('a questionnaire of 问卷星', () => {
  test('the option with (正确答案) behind it is the key', async () => {
    const { questions, findings } = await read(`*1. 南昌起义发生在哪一年？ [单选题] [分值：2]
A. 1921年
B. 1927年(正确答案)
C. 1935年
答案解析：八一。
*2. 下列是质数的有（ ） [多选题] * [分值：3]
A.2（正确答案）B.3(正确答案)C.4
*3. 声音可以在真空中传播。 [判断题] *
○对
○错(正确答案)
*4. 水的化学式是： [单选题] *
○CO2 ○H2O(正确答案)
○O2
`)
    expect(findings).toEqual([])
    expect(questions).toMatchObject([
      {
        type: 'single',
        stem: '南昌起义发生在哪一年？',
        options: ['1921年', '1927年', '1935年'],
        key: 'B',
        analysis: '八一。',
      },
      { type: 'multiple', stem: '下列是质数的有（ ）', options: ['2', '3', '4'], key: 'AB' },
      { type: 'judge', stem: '声音可以在真空中传播。', key: 'B' },
      { type: 'single', stem: '水的化学式是：', options: ['CO2', 'H2O', 'O2'], key: 'B' },
    ])
  })

  test('an answer that says otherwise is refused with both', async () => {
    const { questions, findings } = await read('1. 甲是？ [单选题]\nA. 一(正确答案)\nB. 二\n正确答案：B\n')
    expect(questions).toEqual([])
    expect(findings).toEqual(['fault 第1行 “正确答案：B”与选项后的“(正确答案)”A 不一致，请核对'])
  })
})

describe('a page as browsers and chats leave it', () => {
  const question = { type: 'single', stem: '南昌起义发生在（ ）。', options: ['1921年', '1927年', '1935年'], key: 'B' }
  test.each([
    [
      'letters in lines of their own',
      '1. (单选题, 2.0 分)\n南昌起义发生在（ ）。\n\nA. \n1921年\n\nB. \n1927年\n\nC. \n1935年\n\n我的答案: \nC\n:1935年;\n正确答案: \nB :1927年;\n0.0 分\n',
    ],
    [
      'letters without a sign',
      '1.单选题 (2分)\n南昌起义发生在（ ）。\nA\n1921年\nB\n1927年\nC\n1935年\n正确答案：B\n我的答案：A\n答题人数：52\n正确率：63%\n收起解析\n',
    ],
    [
      'letters before a space',
      '第1题\n单选题\n2分\n南昌起义发生在（ ）。\nA 1921年\nB 1927年\nC 1935年\n回答错误\n参考答案：B\n',
    ],
    [
      'a sum of all questions',
      '1/20 单选题 2分\n南昌起义发生在（ ）。\nA.1921年 B.1927年 C.1935年 我的答案：A 参考答案：B\n下一题\n',
    ],
    [
      'spaces of other kinds, tabs, and signs without a width',
      '\ufeff\u200b１.\u00a0【单选题】\u3000南昌起义发生在（ ）。\r\n\u200bA.\t1921年\r\n\u00a0B．\u00a01927年\r\n\r\nC、1935年\r\n我的答案\u00a0：\u00a0A\r\n\u200b正确答案\u00a0：\u00a0B\u200b\r\n',
    ],
    [
      'full-width brackets and a score of its own',
      '1、（单选题，共2.0分）南昌起义发生在（ ）。\nA：1921年\nB：1927年\nC：1935年\n【我的答案】A\n【正确答案】B\n',
    ],
    [
      'the type as a heading of numbered questions',
      '【单选题】\n1. 南昌起义发生在（ ）。\nA. 1921年\nB. 1927年\nC. 1935年\n我的答案：A\n正确答案：B\n',
    ],
    [
      'all on one line',
      '1. (单选题, 2分) 南昌起义发生在（ ）。 A. 1921年 B. 1927年 C. 1935年 我的答案: C 正确答案: B 得分: 0.0\n',
    ],
  ])('%s', async (_, text) => {
    const { questions, findings } = await read(text)
    expect(findings).toEqual([])
    expect(questions).toMatchObject([question])
    expect(questions[0]?.analysis).toBe('')
  })

  test('a type as a heading ends the question above it', async () => {
    const { questions, findings } = await read(
      '【单选题】\n1. 甲是？\nA. 一\nB. 二\n正确答案：B\n【判断题】\n2. 乙是丙。\n正确答案：错误\n3. 丁是戊。\n正确答案：正确\n',
    )
    expect(findings).toEqual([])
    expect(questions).toMatchObject([
      { type: 'single', key: 'B' },
      { type: 'judge', stem: '乙是丙。', key: 'B' },
      { type: 'judge', stem: '丁是戊。', key: 'A' },
    ])
  })

  test('a numbered list stays in a question that has a type and no number', async () => {
    const { questions, findings } = await read(
      '【单选题】下列说法：\n1. 甲\n2. 乙\n正确的是\nA. 1\nB. 2\n正确答案：A\n【单选题】丁是？\nA. 三\nB. 四\n正确答案：B\n',
    )
    expect(findings).toEqual([])
    expect(questions).toMatchObject([
      { stem: '下列说法： 1. 甲 2. 乙 正确的是', key: 'A' },
      { stem: '丁是？', key: 'B' },
    ])
  })
})

describe('the texts behind the letters of a key', () => {
  const asked = '1. (多选题) 质数有\nA. 2\nB. 3\nC. 4\n'
  test.each([
    ['AB:2;3;', 'AB'],
    ['A:2;B:3;', 'AB'],
    ['B:', 'B'],
    ['A，B', 'AB'],
    ['A:2;C.4', 'AC'],
  ])('%s', async (key, letters) => {
    expect((await read(`${asked}正确答案：${key}\n`)).questions).toMatchObject([{ key: letters }])
  })
  test('that are not those of the options make no key', async () => {
    const { questions, findings } = await read(`${asked}正确答案：A:2;B:4\n`)
    expect(questions).toEqual([])
    expect(findings).toEqual(['fault 第1行 答案“A:2;B:4”里，字母 B 与写的内容不一致：选项 B 是“3”'])
  })
  test('stay in the reference of an essay', async () => {
    const { questions } = await read('1. (简答题) 两种方法？\n正确答案：A：先总后分。\n')
    expect(questions).toMatchObject([{ type: 'essay', reference: 'A：先总后分。' }])
  })
})

test('a page that shows only what someone has answered gives no question, whatever its type', async () => {
  const { questions, findings } = await read(
    '1. (单选题) 甲是？\nA. 一\nB. 二\n我的答案：B\n得分：2.0\n2. (判断题) 乙是丙。\n我的答案：对\n3. (填空题) 丁是____。\n我的答案：戊\n4. (简答题) 说说己。\n我的答案：\n庚\n5. 说说辛。\n我的答案：\n',
  )
  expect(questions).toEqual([])
  expect(findings.map((each) => each.replace(/文件里只有某个人的作答.*/, '…'))).toEqual(
    [1, 6, 8, 10, 13].map((line) => `fault 第${line}行 …`),
  )
})

describe('options of 问卷星 without letters', () => {
  test('对 above 错 are those of a statement', async () => {
    const { questions, findings } = await read(
      '*1. 乙是丙。 [判断题] *\n对\n错(正确答案)\n*2. 丁是戊。 [判断题] *\n对(正确答案)\n错\n',
    )
    expect(findings).toEqual([])
    expect(questions).toMatchObject([
      { type: 'judge', stem: '乙是丙。', key: 'B' },
      { type: 'judge', stem: '丁是戊。', key: 'A' },
    ])
  })
  test('cannot be told from the stem', async () => {
    const { questions, findings } = await read('*1. 甲是？ [单选题] *\n一\n二(正确答案)\n三\n')
    expect(questions).toEqual([])
    expect(findings).toEqual(['fault 第1行 选项前没有字母，分不清从哪一行开始。请在每个选项前写上 A. B. C.'])
  })
})

test('the answers of gaps may stand in them', async () => {
  const { questions, findings } = await read(
    '*1. 起义发生在____（答案：1927）年____(答案: 8)月。 [填空题] * [分值：2]\n*2. 水是____。 [填空题]\n________(答案：H2O)\n',
  )
  expect(findings).toEqual([])
  expect(questions).toMatchObject([
    { type: 'blank', stem: '起义发生在____年____月。', blanks: [['1927'], ['8']] },
    { type: 'blank', stem: '水是____。', blanks: [['H2O']] },
  ])
})

describe('what can be read in two ways is not guessed', () => {
  const options = 'A. 1921年\nB. 1927年\n'
  test.each([
    ['a letter and the text of another option', `1. 【单选题】甲\n${options}正确答案：A:1927年\n`],
    ['circles within the texts', '1. 【单选题】甲\n○ 在3□5里填数\n○ 乙\n正确答案：B\n'],
    ['circles in one line without spaces', '1. 【单选题】甲\n○乙○丙\n正确答案：B\n'],
  ])('%s', async (_, text) => {
    const { questions, findings } = await read(text)
    expect(questions).toEqual([])
    expect(findings).toEqual([expect.stringMatching(/^fault /)])
  })
  test('a letter with its own text is the key', async () => {
    const { questions } = await read(
      `1. 【单选题】甲\n${options}正确答案：B:1927年\n2. 【单选题】乙\n${options}正确答案：A：\n`,
    )
    expect(questions).toMatchObject([{ key: 'B' }, { key: 'A' }])
  })
  test('signs in a stem are no options', async () => {
    const { questions } = await read('1. 【单选题】图例\n□是方的，■是实的\n○ 甲\n● 乙\n正确答案：A\n')
    expect(questions).toMatchObject([{ stem: '图例 □是方的，■是实的', options: ['甲', '乙'], key: 'A' }])
  })
})

describe('nothing of a question is lost', () => {
  const options = 'A. 一\nB. 二\n'
  test('where its number begins anew, jumps, or is missing', async () => {
    const { questions } = await read(
      `2. 【简答题】甲\n正确答案：二\n1. 【单选题】乙\n${options}正确答案：A\n9. 【单选题】丙\n${options}正确答案：B\n` +
        `【判断题】丁\n正确答案：对\n`,
    )
    expect(questions).toMatchObject([
      { stem: '甲', reference: '二' },
      { stem: '乙', key: 'A' },
      { stem: '丙', key: 'B' },
      { stem: '丁', type: 'judge' },
    ])
  })
  test('where its lines look like what a page says of the student', async () => {
    const { questions } = await read(
      '1. 【单选题】这张卷子\n得分：85\n满分：100\n怎样？\nA\n收藏\nB\n标记\n我的答案：A\n正确答案：B\n得分：0.0\n收藏\n',
    )
    expect(questions).toMatchObject([
      { stem: '这张卷子 得分：85 满分：100 怎样？', options: ['收藏', '标记'], key: 'B' },
    ])
  })
  test('where its answer names a point or a difficulty', async () => {
    const { questions } = await read('1. 【简答题】怎样备课？\n正确答案：说明教学的知识点：概念；难度：由浅入深\n')
    expect(questions).toMatchObject([{ reference: '说明教学的知识点：概念；难度：由浅入深' }])
  })
})

test('whatever a page calls the student’s answer is neither the key nor a part of an option', async () => {
  const of = (name: string) => `1. 【单选题】甲\nA. 一\nB. 二\n${name}：B\n正确答案：A\n`
  for (const name of ['您的回答', '你的选择', '学生答案', '我的选项']) {
    const { questions } = await read(of(name))
    expect(questions).toMatchObject([{ options: ['一', '二'], key: 'A' }])
  }
})

test('thousands of spaces are read at once', async () => {
  const spaces = ' '.repeat(20_000)
  const { questions } = await read(`1. 【单选题】甲\n得分${spaces}x\nA. 一\nB. 二\n正确答案：A\n`)
  expect(questions).toMatchObject([{ key: 'A' }])
})

test('where a key may stand, hundreds of thousands of spaces are read at once, too', async () => {
  const spaces = ' '.repeat(200_000)
  const { questions } = await read(`1. 甲${spaces}x\nA. 一\nB. 二\n答案：A\n`)
  expect(questions).toMatchObject([{ type: 'single' }])
})
