import { describe, expect, test } from 'vitest'
import { optionsOf, p, r, readWord, readWordBytes, wordBytes } from '#tests/support/wordFile.ts'

const b = '<w:b/>'
const u = '<w:u w:val="single"/>'
/** One question around a stem. */
const asked = (stem: string, ...more: string[]) => [p(r('1. ') + stem), ...more, p('A. 甲'), p('B. 乙'), p('答案：A')]
const stemOf = async (stem: string) => (await readWord(asked(stem))).questions[0]?.stem

describe('what is set off stays so', () => {
  test('raised, lowered, bold, in italics, underlined, struck', async () => {
    const stem = await stemOf(
      r('10') +
        r('3', '<w:vertAlign w:val="superscript"/>') +
        r('水H') +
        r('2', '<w:vertAlign w:val="subscript"/>') +
        r('不', b) +
        r('是', '<w:i/>') +
        r('划线', u) +
        r('删', '<w:strike/>') +
        r('末'),
    )
    expect(stem).toBe('10<sup>3</sup>水H<sub>2</sub><b>不</b><i>是</i><u>划线</u><s>删</s>末')
  })

  test('by a style of characters, and not where a run takes it back', async () => {
    const styles = '<w:style w:type="character" w:styleId="U"><w:rPr><w:u w:val="single"/></w:rPr></w:style>'
    const { questions } = await readWord(
      asked(r('划', '<w:rStyle w:val="U"/>') + r('不划', '<w:rStyle w:val="U"/><w:u w:val="none"/>')),
      { styles },
    )
    expect(questions[0]?.stem).toBe('<u>划</u>不划')
  })

  test('spaces that are underlined are a gap', async () => {
    const { questions } = await readWord([
      p(
        r('1. 古田会议召开于') +
          r('    ', u) +
          r('年') +
          '<w:r><w:rPr><w:u w:val="single"/></w:rPr><w:tab/></w:r>' +
          r('月'),
      ),
      p('答案：1929；12'),
    ])
    expect(questions).toMatchObject([{ stem: '古田会议召开于____年____月' }])
  })

  test('bold numbers, letters, labels, types and answers are found', async () => {
    const { questions, findings } = await readWord([
      p(r('一、多项选择题', b)),
      p(r('1．', b) + r('第一题（') + r(' AB ', b) + r('）')),
      p(r('A．', b) + r('甲  ') + r('B．', b) + r('乙')),
      p(r('2．第二题【', b) + r('】')),
      p(r('A．甲') + r('  B．', b) + r('乙')),
      p(r('【答案】', b) + r('AB', u)),
      p(r('解析：', b) + r('略')),
    ])
    expect(findings.filter((each) => each.startsWith('fault'))).toEqual([])
    expect(questions).toMatchObject([
      { type: 'multiple', stem: '第一题（ ）', key: ['A', 'B'] },
      { type: 'multiple', key: ['A', 'B'], analysis: '略' },
    ])
    expect(optionsOf(questions[0])).toEqual(['甲', '乙'])
  })

  test('powers at the start of a line or an option, and in a line of figures, stay powers', async () => {
    const up = '<w:vertAlign w:val="superscript"/>'
    const { questions } = await readWord([
      p('1. 下列（B）'),
      p(r('10') + r('3', up)),
      p(r('A. 10') + r('2', up)),
      p(r('B. 2') + r('10', up)),
    ])
    expect(questions[0]?.stem).toContain('<p>10<sup>3</sup></p>')
    expect(optionsOf(questions[0])).toEqual(['10<sup>2</sup>', '2<sup>10</sup>'])
  })

  test('an option that is bold as a whole looks like the others: no student sees which one a teacher has marked', async () => {
    const { questions } = await readWord([
      p('1. 选（B）'),
      p('A. 甲'),
      p(r('B. 乙', b)),
      p(r('C. 丙  ') + r('D. 丁', b)),
    ])
    expect(optionsOf(questions[0])).toEqual(['甲', '乙', '丙', '丁'])
  })

  test('a colour is no answer: without one the question is refused, and it is told which option has one', async () => {
    const { questions, findings } = await readWord([
      p('1. 选'),
      p('A. 甲'),
      p(r('B. 乙', '<w:color w:val="FF0000"/>')),
      p('2. 又选（A）'),
      p('A. 甲'),
      p(r('B. 乙', '<w:highlight w:val="yellow"/>')),
    ])
    expect(questions).toMatchObject([{ stem: '又选（ ）', key: ['A'] }])
    expect(findings).toContainEqual(expect.stringMatching(/^fault 第1段.*没有答案；选项 B 的颜色或粗细/))
  })

  test('dots below letters are shown bold, which is told', async () => {
    const { questions, findings } = await readWord(asked(r('加点字') + r('校', '<w:em w:val="dot"/>') + r('对')))
    expect(questions[0]?.stem).toBe('加点字<b>校</b>对')
    expect(findings).toContainEqual(expect.stringContaining('着重号显示为加粗'))
  })

  test('pinyin above a character', async () => {
    const ruby = `<w:r><w:ruby><w:rubyPr/><w:rt>${r('jiào')}</w:rt><w:rubyBase>${r('校')}</w:rubyBase></w:ruby></w:r>`
    expect(await stemOf(r('读音') + ruby)).toBe('读音<ruby>校<rt>jiào</rt></ruby>')
  })
})

describe('characters', () => {
  test('signs of HTML are letters here', async () => {
    expect(await stemOf(r('若 a<b 且 c>d，<b>标签</b> &lt; &amp;amp;'))).toBe(
      '若 a&lt;b 且 c&gt;d，&lt;b&gt;标签&lt;/b&gt; &amp;lt; &amp;amp;amp;',
    )
  })

  test('ends of lines, tabs, hyphens', async () => {
    const { questions } = await readWord([
      p(
        `<w:r><w:t>1. 选（A）</w:t><w:br/><w:t>A. x</w:t><w:noBreakHyphen/><w:t>y</w:t><w:tab/><w:t>B. 军</w:t><w:softHyphen/><w:t>史</w:t></w:r>`,
      ),
    ])
    expect(optionsOf(questions[0])).toEqual(['x-y', '军史'])
  })

  test('signs of a font: known ones are read, in either way of writing them', async () => {
    const { questions } = await readWord([
      p(r('1. 南昌起义在1927年（') + '<w:r><w:sym w:font="Wingdings" w:char="F0FC"/></w:r>' + r('）')),
      p(r('2. 角 ') + r('a', '<w:rFonts w:ascii="Symbol" w:hAnsi="Symbol"/>') + r(' 正确吗（×）')),
    ])
    expect(questions).toMatchObject([
      { type: 'judge', key: ['A'] },
      { type: 'judge', key: ['B'], stem: '角 α 正确吗（ ）' },
    ])
  })

  test('one that is not known keeps the question out', async () => {
    const { questions, findings } = await readWord(
      asked('<w:r><w:sym w:font="Wingdings" w:char="F03A"/></w:r>' + r('甲')),
    )
    expect(questions).toEqual([])
    expect(findings).toContainEqual(expect.stringMatching(/^fault .*字体“Wingdings”里的符号（F03A）读不出/))
  })

  test('capitals that are a look', async () => {
    expect(await stemOf(r('dna', '<w:caps/>') + r(' 是'))).toBe('DNA 是')
  })
})

describe('what a reader does not see', () => {
  test('hidden text is left out, by a style as well, and told', async () => {
    const styles = '<w:style w:type="character" w:styleId="H"><w:rPr><w:vanish/></w:rPr></w:style>'
    const { questions, findings } = await readWord(
      asked(r('题') + r('答案在此', '<w:vanish/>') + r('答案', '<w:rStyle w:val="H"/>')),
      { styles },
    )
    expect(questions[0]?.stem).toBe('题')
    expect(findings).toEqual([expect.stringContaining('有隐藏的文字，没有导入')])
  })

  test('white letters are hidden, too, but on a dark ground', async () => {
    const white = '<w:color w:val="FFFFFF"/>'
    const { questions, findings } = await readWord(
      asked(r('题') + r('选 A', white) + r('黑底', `${white}<w:shd w:val="clear" w:fill="000000"/>`)),
    )
    expect(questions[0]?.stem).toBe('题黑底')
    expect(findings).toEqual([expect.stringContaining('有白色的文字，没有导入')])
  })

  test('tracked changes: what is deleted is out, what is inserted is in, and it is told once', async () => {
    const { questions, findings } = await readWord([
      p(r('1. ') + '<w:del><w:r><w:delText>旧</w:delText></w:r></w:del><w:ins>' + r('新') + '</w:ins>'),
      p(r('A. 甲') + `<w:moveFrom>${r('丙')}</w:moveFrom>`),
      `<w:p><w:pPr><w:rPr><w:del/></w:rPr></w:pPr><w:del><w:r><w:delText>没有了</w:delText></w:r></w:del></w:p>`,
      p('B. 乙'),
      p('答案：A'),
    ])
    expect(questions[0]?.stem).toBe('新')
    expect(optionsOf(questions[0])).toEqual(['甲', '乙'])
    expect(findings.filter((each) => each.includes('修订'))).toHaveLength(1)
  })

  test('footnotes are told, comments and bookmarks are not there', async () => {
    const { questions, findings } = await readWord(
      asked(
        '<w:bookmarkStart w:id="1"/><w:commentRangeStart w:id="1"/>' +
          r('题') +
          '<w:r><w:footnoteReference w:id="2"/></w:r><w:r><w:commentReference w:id="1"/></w:r>',
      ),
    )
    expect(questions[0]?.stem).toBe('题')
    expect(findings).toEqual([expect.stringContaining('有脚注，没有导入')])
  })
})

describe('fields', () => {
  const field = (code: string, result: string) =>
    `<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>${code}</w:instrText></w:r>${result && `<w:r><w:fldChar w:fldCharType="separate"/></w:r>${r(result)}`}<w:r><w:fldChar w:fldCharType="end"/></w:r>`
  test('show their results, not their codes', async () => {
    expect(
      await stemOf(
        field('HYPERLINK "http://x"', '见此') +
          `<w:hyperlink>${r('链接')}</w:hyperlink>` +
          `<w:fldSimple w:instr="SEQ 图">${r('3')}</w:fldSimple>`,
      ),
    ).toBe('见此链接3')
  })
  test('a circled number is one', async () => {
    expect(await stemOf(field('eq \\o\\ac(○,3)', '') + r('句'))).toBe('③句')
  })
  test.each(['EQ \\f(1,2)', 'LISTNUM', 'SYMBOL 252'])('%s has no result that could be read', async (code) => {
    const { questions, findings } = await readWord(asked(field(code, '') + r('题')))
    expect(questions).toEqual([])
    expect(findings).toContainEqual(expect.stringMatching(/^fault .*读不出/))
  })
  test('one that lost its end swallows nothing in silence', async () => {
    const { questions, findings } = await readWord([
      ...asked('<w:r><w:fldChar w:fldCharType="begin"/></w:r>' + r('题')),
      p('2. 又（B）'),
      p('A. 甲'),
      p('B. 乙'),
    ])
    expect(questions).toMatchObject([{ stem: '又（ ）' }])
    expect(findings).toContainEqual(expect.stringMatching(/^fault 第1段.*没有结束/))
  })
})

describe('files', () => {
  const CFB = Buffer.from('d0cf11e0a1b11ae1', 'hex')
  test.each([
    [
      'with a password',
      Buffer.concat([CFB, Buffer.alloc(600), Buffer.from('EncryptedPackage', 'utf16le')]),
      '.docx',
      /有打开密码/,
    ],
    ['of an old Word by another name', Buffer.concat([CFB, Buffer.alloc(600)]), '.docx', /旧版 Word.*另存为/],
    ['of an old Word', CFB, '.doc', /不支持 \.doc 文件.*另存为”\.docx/],
    ['that is none', Buffer.from('{\\rtf1 x}'), '.docx', /不是有效的 \.docx/],
    ['that is cut', wordBytes(p('1. 题（A）')).subarray(0, 700), '.docx', /不是有效的 \.docx/],
    ['without questions', wordBytes(p('你好')), '.docx', /认不出题目/],
    [
      'that unpacks to far more',
      wordBytes(p('x'), { other: { 'word/media/a.png': new Uint8Array(70_000_000) } }),
      '.docx',
      /解开后超过 64 MB/,
    ],
  ])('%s', async (_, bytes, ending, said) => {
    const { questions, findings } = await readWordBytes(bytes, ending)
    expect(questions).toEqual([])
    expect(findings[0]).toMatch(said)
  })

  test('a body with something that is not known tells it', async () => {
    const { findings } = await readWord([...asked(r('题')), '<w:altChunk r:id="x"/>'])
    expect(findings).toContainEqual(expect.stringContaining('Word 的内容（altChunk）读不出'))
  })
})
