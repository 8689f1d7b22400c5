import { mkdtempSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { strToU8, zipSync } from 'fflate'
import iconv from 'iconv-lite'
import { describe, expect, test } from 'vitest'
import { checkFile } from '#server/content/bank/import.ts'
import { foreignLibrary } from '#tests/support/library.ts'
import { rightOrderOf } from '#tests/support/questions.ts'

const folder = mkdtempSync(path.join(os.tmpdir(), 'lijian-qti-'))
const options = foreignLibrary('Q')
let files = 0
async function read(content: string | Uint8Array, ending = 'xml') {
  const file = path.join(folder, `${++files}.${ending}`)
  writeFileSync(file, content)
  const { bank, placed, findings, pictures } = await checkFile(file, options)
  const reasons = (level: string) =>
    findings.flatMap((each) =>
      each.level === level && !each.reason.endsWith('没有解析') ? `${each.at} ${each.reason}` : [],
    )
  return {
    bank,
    pictures,
    placed,
    questions: placed.map(({ question }) => question),
    faults: reasons('fault'),
    warnings: reasons('warning'),
  }
}

/** QTI 2.1. */
const item2 = (declared: string, body: string, more = ''): string =>
  `<assessmentItem identifier="i" title="t" adaptive="false" xmlns="http://www.imsglobal.org/xsd/imsqti_v2p1">${declared}<itemBody>${body}</itemBody>${more}</assessmentItem>`
/** The same in QTI 3.0, whose names are longer. */
const item3 = (source: string): string =>
  source
    .replace('imsqti_v2p1', 'imsqtiasi_v3p0')
    .replaceAll(/(<\/?)([a-zA-Z]+)/g, (_, open: string, name: string) =>
      /^(p|div|img|u|table|tr|td)$/.test(name) ? open + name : `${open}qti-${hyphened(name)}`,
    )
    .replaceAll(/ ([a-z]+[A-Z]\w*)=/g, (_, name: string) => ` ${hyphened(name)}=`)
const hyphened = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

const declared = (values: string[], more = 'cardinality="single" baseType="identifier"', id = 'R'): string =>
  `<responseDeclaration identifier="${id}" ${more}><correctResponse>${values.map((value) => `<value>${value}</value>`).join('')}</correctResponse></responseDeclaration>`
const choices = (...texts: string[]): string =>
  texts.map((text, i) => `<simpleChoice identifier="C${i}">${text}</simpleChoice>`).join('')

const single = item2(
  declared(['C1']),
  `<p>南昌起义发生在哪一年？</p><choiceInteraction responseIdentifier="R" maxChoices="1">${choices(
    '1921年<feedbackInline identifier="C0">那是建党。</feedbackInline>',
    '1927年',
  )}</choiceInteraction>`,
)

describe.each([
  ['2.1', (source: string) => source],
  ['3.0', item3],
])('an item of QTI %s', (_, as) => {
  test('of one choice, with what is told of an option', async () => {
    const { questions, faults } = await read(as(single))
    expect(faults).toEqual([])
    expect(questions).toMatchObject([
      {
        type: 'single',
        stem: '<p>南昌起义发生在哪一年？</p>',
        options: [{ html: '1921年', why: '那是建党。' }, { html: '1927年' }],
        key: ['B'],
      },
    ])
  })

  test('of several choices, and one whose answers are only weighed', async () => {
    const many = 'cardinality="multiple" baseType="identifier"'
    const weighed = `<responseDeclaration identifier="R" ${many}><mapping><mapEntry mapKey="C0" mappedValue="0.5"/><mapEntry mapKey="C1" mappedValue="-1"/><mapEntry mapKey="C2" mappedValue="0.5"/></mapping></responseDeclaration>`
    const asked = `<choiceInteraction responseIdentifier="R" maxChoices="0"><prompt>哪些是质数？</prompt>${choices('2', '4', '3')}</choiceInteraction>`
    const right = [{ type: 'multiple', stem: '哪些是质数？', key: ['A', 'C'] }]
    expect((await read(as(item2(declared(['C0', 'C2'], many), asked)))).questions).toMatchObject(right)
    expect((await read(as(item2(weighed, asked)))).questions).toMatchObject(right)
  })

  const toOrder = `<orderInteraction responseIdentifier="R"><prompt>步骤</prompt>${choices('瞄准', '击发', '卧倒')}</orderInteraction>`
  const ordered = (...right: string[]) =>
    read(as(item2(declared(right, 'cardinality="ordered" baseType="identifier"'), toOrder)))
  test('that asks for an order is a 排序题; of some of its items only it is refused', async () => {
    const { questions, faults } = await ordered('C2', 'C0', 'C1')
    expect(faults).toEqual([])
    expect(questions).toMatchObject([{ type: 'order', stem: '步骤' }])
    expect(rightOrderOf(questions[0])).toEqual(['卧倒', '瞄准', '击发'])
    const some = await ordered('C2', 'C0')
    expect(some.questions).toEqual([])
    expect(some.faults).toEqual([expect.stringContaining('只要求排其中几项')])
  })

  test('of gaps to write in: all spellings that earn everything', async () => {
    const { questions } = await read(
      as(
        item2(
          `<responseDeclaration identifier="R" cardinality="single" baseType="string"><correctResponse><value>H2O</value></correctResponse><mapping><mapEntry mapKey="H2O" mappedValue="1"/><mapEntry mapKey="h2o" mappedValue="1"/></mapping></responseDeclaration>${declared(['100'], 'cardinality="single" baseType="integer"', 'S')}`,
          '<p>水是<textEntryInteraction responseIdentifier="R"/>，沸点<textEntryInteraction responseIdentifier="S"/>℃。</p>',
        ),
      ),
    )
    expect(questions).toMatchObject([
      { type: 'blank', stem: '<p>水是（1）____，沸点（2）____℃。</p>', blanks: [['H2O', 'h2o'], ['100']] },
    ])
  })

  test('of gaps to choose for, of pairs and of words in a text', async () => {
    const pairs = 'cardinality="multiple" baseType="directedPair"'
    const sets = (name: string, texts: string[]) =>
      `<simpleMatchSet>${texts.map((text, i) => `<simpleAssociableChoice identifier="${name}${i}" matchMax="1">${text}</simpleAssociableChoice>`).join('')}</simpleMatchSet>`
    const inline = item2(
      declared(['b']),
      '<p>She <inlineChoiceInteraction responseIdentifier="R"><inlineChoice identifier="a">go</inlineChoice><inlineChoice identifier="b">goes</inlineChoice></inlineChoiceInteraction> home.</p>',
    )
    const match = item2(
      declared(['L0 R1', 'L1 R0', 'L1 R1'], pairs),
      `<matchInteraction responseIdentifier="R"><prompt>连线</prompt>${sets('L', ['李白', '“唐诗”'])}${sets('R', ['诗圣', '诗仙'])}</matchInteraction>`,
    )
    const gaps = item2(
      declared(['w g1', 's g2'], pairs),
      '<gapMatchInteraction responseIdentifier="R"><gapText identifier="s">summer</gapText><gapText identifier="w">winter</gapText><p>the <gap identifier="g1"/> of our discontent, <gap identifier="g2"/></p></gapMatchInteraction>',
    )
    const hot = item2(
      declared(['h1']),
      '<hottextInteraction responseIdentifier="R" maxChoices="1"><p>He <hottext identifier="h0">is</hottext> <hottext identifier="h1">goes</hottext>.</p></hottextInteraction>',
    )
    const all = await Promise.all([inline, match, gaps, hot].map((each) => read(as(each))))
    expect(all.flatMap(({ questions }) => questions)).toMatchObject([
      { type: 'single', stem: '<p>She （1）____ home.</p>', options: [{ html: 'go' }, { html: 'goes' }], key: ['B'] },
      {
        type: 'composite',
        stem: '连线',
        parts: [
          { stem: '李白', type: 'single', key: ['B'] },
          { stem: '“唐诗”', type: 'multiple', key: ['A', 'B'] },
        ],
      },
      { type: 'composite', parts: [{ key: ['B'] }, { key: ['A'] }] },
      {
        type: 'single',
        stem: '<p>He <u>is</u> <u>goes</u>.</p>',
        options: [{ html: 'is' }, { html: 'goes' }],
        key: ['B'],
      },
    ])
  })

  test('of an essay, with the rubric of who marks', async () => {
    const { questions } = await read(
      as(
        item2(
          '<responseDeclaration identifier="R" cardinality="single" baseType="string"/>',
          '<p>谈谈纪律。</p><rubricBlock view="scorer"><p>两点各五分</p></rubricBlock><extendedTextInteraction responseIdentifier="R"/>',
        ),
      ),
    )
    expect(questions).toMatchObject([{ type: 'essay', stem: '<p>谈谈纪律。</p>', reference: '<p>两点各五分</p>' }])
  })

  test('of one choice whose answers are weighed is right where it earns the most, whatever the marks are', async () => {
    const weighed = (...marks: number[]) =>
      `<responseDeclaration identifier="R" cardinality="single" baseType="identifier"><mapping>${marks.map((mark, i) => `<mapEntry mapKey="C${i}" mappedValue="${mark}"/>`).join('')}</mapping></responseDeclaration>`
    const asked = `<choiceInteraction responseIdentifier="R" maxChoices="1"><prompt>哪个最大？</prompt>${choices('2', '4', '3')}</choiceInteraction>`
    for (const marks of [
      [1, 2, 0],
      [0.25, 0.5, 0],
    ]) {
      const { questions, warnings } = await read(as(item2(weighed(...marks), asked)))
      expect(questions).toMatchObject([{ type: 'single', key: ['B'] }])
      expect(warnings).toEqual(['第1行 只得部分分数的答案不算正确，其权重没有保留'])
    }
  })

  test('that takes one choice is a 单选题, though its answers are kept as a list', async () => {
    const many = 'cardinality="multiple" baseType="identifier"'
    const asked = (most: number) =>
      item2(
        declared(['C1'], many),
        `<choiceInteraction responseIdentifier="R" maxChoices="${most}"><prompt>选</prompt>${choices('甲', '乙')}</choiceInteraction>`,
      )
    const { questions, warnings } = await read(as(asked(1)))
    expect([questions, warnings]).toMatchObject([[{ type: 'single', key: ['B'] }], []])
    // Of as many as one likes only one is right.
    expect((await read(as(asked(0)))).questions).toMatchObject([{ type: 'indefinite', key: ['B'] }])
  })

  test('accepts no spelling that earns a part of the marks', async () => {
    const { questions, warnings } = await read(
      as(
        item2(
          '<responseDeclaration identifier="R" cardinality="single" baseType="string"><correctResponse><value>北京</value></correctResponse><mapping><mapEntry mapKey="北京市" mappedValue="2"/><mapEntry mapKey="北平" mappedValue="1"/></mapping></responseDeclaration>',
          '<p>首都是<textEntryInteraction responseIdentifier="R"/></p>',
        ),
      ),
    )
    expect(questions).toMatchObject([{ type: 'blank', blanks: [['北京', '北京市']] }])
    expect(warnings).toEqual(['第1行 只得部分分数的答案不算正确，其权重没有保留'])
  })

  test('gives an option the feedback that is shown for it', async () => {
    const { questions } = await read(
      as(
        item2(
          declared(['C1']),
          `<choiceInteraction responseIdentifier="R" maxChoices="1"><prompt>哪年？</prompt>${choices('1921年', '1927年')}</choiceInteraction>`,
          '<modalFeedback outcomeIdentifier="FEEDBACK" identifier="C0" showHide="show"><p>那是建党。</p></modalFeedback>',
        ),
      ),
    )
    expect(questions).toMatchObject([{ options: [{ why: '<p>那是建党。</p>' }, { html: '1927年' }] }])
  })

  test.each([
    ['that is adaptive', (source: string) => source.replace('adaptive="false"', 'adaptive="true"'), /自适应题/],
    [
      'whose numbers are drawn',
      (source: string) =>
        source.replace('<responseDeclaration', '<templateDeclaration identifier="X" cardinality="single"/>$&'),
      /随机生成/,
    ],
  ])('%s is refused and says why', async (_, made, why) => {
    const { questions, faults } = await read(as(made(single)))
    expect(questions).toEqual([])
    expect(faults).toEqual([expect.stringMatching(why)])
  })

  test.each([
    ['<orderInteraction responseIdentifier="R"/>', /排序题没有写正确的顺序/],
    ['<graphicOrderInteraction responseIdentifier="R"/>', /图上排序题/],
    ['<hotspotInteraction responseIdentifier="R"/>', /图上选点题/],
    ['<p>没有问题</p>', /没有作答的地方/],
    ['<p><printedVariable identifier="X"/></p>', /算出来的数/],
  ])('with %s is refused and says why', async (body, why) => {
    const { questions, faults } = await read(as(item2(declared([]), body)))
    expect(questions).toEqual([])
    expect(faults).toEqual([expect.stringMatching(why)])
  })
})

describe('an item of QTI 1.2', () => {
  const text = (of: string, type = 'text/html') =>
    `<material><mattext texttype="${type}"><![CDATA[${of}]]></mattext></material>`
  const lid = (id: string, labels: Record<string, string>, more = 'rcardinality="Single"', prompt = '') =>
    `<response_lid ident="${id}" ${more}>${prompt}<render_choice>${Object.entries(labels)
      .map(([ident, label]) => `<response_label ident="${ident}">${text(label, 'text/plain')}</response_label>`)
      .join('')}</render_choice></response_lid>`
  const scored = (condition: string, score = 100, feedback = '') =>
    `<respcondition><conditionvar>${condition}</conditionvar><setvar action="Set" varname="SCORE">${score}</setvar>${feedback}</respcondition>`
  const is = (id: string, value: string) => `<varequal respident="${id}">${value}</varequal>`
  const item = (type: string, shown: string, marks: string, more = '') =>
    `<item ident="i" title="t"><itemmetadata><qtimetadata><qtimetadatafield><fieldlabel>question_type</fieldlabel><fieldentry>${type}</fieldentry></qtimetadatafield>${more}</qtimetadata></itemmetadata><presentation>${shown}</presentation><resprocessing>${marks}</resprocessing></item>`
  const bank = (...items: string[]) =>
    `<questestinterop xmlns="http://www.imsglobal.org/xsd/ims_qtiasiv1p2"><assessment><section>\n${items.join('\n')}</section></assessment></questestinterop>`

  test('of one choice, of several and of true and false, with what is told', async () => {
    const { questions, faults } = await read(
      bank(
        item(
          'multiple_choice_question',
          text('1<2 是对的吗？') + lid('r', { a: '是', b: '否', c: '' }),
          scored(is('r', 'a'), 100, '<displayfeedback linkrefid="a_fb"/>') +
            scored(is('r', 'b'), 0, '<displayfeedback linkrefid="general_fb"/>'),
        ).replace(
          '</item>',
          `<itemfeedback ident="a_fb"><flow_mat>${text('正是')}</flow_mat></itemfeedback><itemfeedback ident="general_fb">${text('比大小')}</itemfeedback></item>`,
        ),
        item(
          'multiple_answers_question',
          text('质数') + lid('r', { a: '2', b: '4', c: '3' }, 'rcardinality="Multiple"'),
          scored(`<and>${is('r', 'a')}<not>${is('r', 'b')}</not>${is('r', 'c')}</and>`),
        ),
        item(
          'true_false_question',
          text('声音在真空中传播。') + lid('r', { t: 'True', f: 'False' }),
          scored(is('r', 'f')),
        ),
      ),
    )
    expect(faults).toEqual([])
    expect(questions).toMatchObject([
      { type: 'single', analysis: '比大小', options: [{ html: '是', why: '正是' }, { html: '否' }], key: ['A'] },
      { type: 'multiple', key: ['A', 'C'] },
      { type: 'judge', key: ['B'] },
    ])
  })

  test('to write in: words, numbers between bounds, gaps by name; without marks an essay', async () => {
    const fib = (type = 'String') =>
      `<response_str ident="r"><render_fib fibtype="${type}"><response_label ident="x"/></render_fib></response_str>`
    const name = (of: string) => `<material><mattext>${of}</mattext></material>`
    const { questions } = await read(
      bank(
        item('short_answer_question', text('首都是') + fib(), scored(is('r', '北京') + is('r', '北京市'))),
        item(
          'numerical_question',
          text('π 约为') + fib('Decimal'),
          scored('<vargte respident="r">3.10</vargte><varlte respident="r">3.18</varlte>'),
        ),
        item(
          'fill_in_multiple_blanks_question',
          text('<p>[甲]是诗仙</p>') + lid('r1', { x: '李白', y: '李太白' }, '', name('甲')),
          scored(is('r1', 'x')),
        ),
        item('essay_question', text('谈谈'), '').replace('</presentation>', `${fib()}</presentation>`),
      ),
    )
    expect(questions).toMatchObject([
      { type: 'blank', blanks: [['北京', '北京市']] },
      { type: 'blank', blanks: [['3.14']] },
      { type: 'blank', stem: '<p>（1）____是诗仙</p>', blanks: [['李白', '李太白']] },
      { type: 'essay' },
    ])
  })

  test('on a text of its own becomes a 小题 of it', async () => {
    const parent =
      '<qtimetadatafield><fieldlabel>parent_stimulus_item_ident</fieldlabel><fieldentry>i</fieldentry></qtimetadatafield>'
    const asked = (stem: string) =>
      item('multiple_choice_question', text(stem) + lid('r', { a: '甲', b: '乙' }), scored(is('r', 'b')), parent)
    const { questions } = await read(bank(item('text_only_question', text('材料'), ''), asked('一问'), asked('二问')))
    expect(questions).toMatchObject([
      {
        type: 'composite',
        stem: '材料',
        parts: [
          { stem: '一问', key: ['B'] },
          { stem: '二问', key: ['B'] },
        ],
      },
    ])
  })

  test.each([
    [
      'a condition of its own',
      `${scored(is('r', 'b'))}${scored(is('r', 'b'), 0, '<displayfeedback linkrefid="b_fb"/>')}`,
    ],
    [
      'a condition that only gives feedback',
      `${scored(is('r', 'b'), 50)}<respcondition><conditionvar>${is('r', 'b')}</conditionvar><displayfeedback linkrefid="b_fb"/></respcondition>`,
    ],
    ['a second sum of the same condition', scored(is('r', 'b'), 100, '<setvar varname="HINTS">0</setvar>')],
    ['an option that earns less', scored(is('r', 'b'), 100) + scored(is('r', 'a'), 50)],
    ['an option that costs marks', scored(is('r', 'b'), 50) + scored(is('r', 'a'), 100).replace('"Set"', '"Subtract"')],
  ])('keeps the answer with the highest score when %s follows', async (_, marks) => {
    const { questions, faults } = await read(
      bank(item('multiple_choice_question', text('哪个？') + lid('r', { a: '甲', b: '乙' }), marks)),
    )
    expect(faults).toEqual([])
    expect(questions).toMatchObject([{ type: 'single', key: ['B'] }])
  })

  test('that matches becomes a choice for each left side; one that nobody wrote is left out', async () => {
    const sides = { x: '诗仙', y: '诗圣' }
    const left = (id: string, name: string) => lid(id, sides, '', text(name, 'text/plain'))
    const { questions, faults } = await read(
      bank(
        item(
          'matching_question',
          text('连线') + left('r1', '李白') + left('r2', '杜甫') + left('r3', ''),
          scored(is('r1', 'x'), 50) + scored(is('r2', 'y'), 50),
        ),
      ),
    )
    expect(faults).toEqual([])
    expect(questions).toMatchObject([
      {
        type: 'composite',
        stem: '连线',
        parts: [
          { stem: '李白', type: 'single', key: ['A'] },
          { stem: '杜甫', type: 'single', key: ['B'] },
        ],
      },
    ])
  })

  const ordered = lid('r', { a: '一', b: '二', c: '三' }, 'rcardinality="Ordered"')
  const at = (index: number, value: string) => `<varequal respident="r" index="${index}">${value}</varequal>`
  test('that asks for an order is a 排序题 in the order that earns most', async () => {
    const { questions } = await read(
      bank(
        item(
          '',
          text('排序') + ordered,
          scored(at(1, 'c') + at(2, 'b') + at(3, 'a'), 10) + scored(at(3, 'b') + at(1, 'c') + at(2, 'a'), 100),
        ),
      ),
    )
    expect(questions).toMatchObject([{ type: 'order' }])
    expect(rightOrderOf(questions[0])).toEqual(['三', '一', '二'])
  })

  test('that asks for the order of some of its items is refused', async () => {
    const { questions, faults } = await read(bank(item('', text('排序') + ordered, scored(at(1, 'a') + at(2, 'b')))))
    expect(questions).toEqual([])
    expect(faults).toEqual(['第2行 排序题只要求排其中几项，请改成排全部各项'])
  })

  test('of several gaps on a text of its own says that text first', async () => {
    const parent =
      '<qtimetadatafield><fieldlabel>parent_stimulus_item_ident</fieldlabel><fieldentry>i</fieldentry></qtimetadatafield>'
    const sides = { x: '诗仙', y: '诗圣' }
    const left = (id: string, name: string) => lid(id, sides, '', text(name, 'text/plain'))
    const pairs = item(
      'matching_question',
      text('连线') + left('r1', '李白') + left('r2', '杜甫'),
      scored(is('r1', 'x'), 50) + scored(is('r2', 'y'), 50),
      parent,
    )
    const { questions } = await read(bank(item('text_only_question', text('<p>唐代诗人</p>'), ''), pairs))
    expect(questions).toMatchObject([{ type: 'composite', stem: '<p>唐代诗人</p> 连线', parts: [{}, {}] }])
  })

  test('finds the pictures of its package by the name that its system writes for the folder', async () => {
    const shown = ['$IMS-CC-FILEBASE$/Uploaded%20Media/a%20b.gif', '%24IMS-CC-FILEBASE%24/c.gif', 'c.gif']
    const stem = shown.map((src) => `<img src="${src}" alt=""/>`).join('')
    const { pictures, warnings } = await read(
      zipSync({
        'quiz.xml': strToU8(
          bank(item('multiple_choice_question', text(stem) + lid('r', { a: '甲', b: '乙' }), scored(is('r', 'b')))),
        ),
        'Uploaded Media/a b.gif': strToU8('first'),
        'c.gif': strToU8('second'),
      }),
      'zip',
    )
    expect(warnings).toEqual([])
    expect([...pictures.values()].map(String).sort()).toEqual(['first', 'second'])
  })

  test('that is worked out, or has no place for an answer, is refused', async () => {
    const { faults } = await read(bank(item('calculated_question', text('x'), ''), item('', text('x'), '')))
    expect(faults).toEqual([
      '第2行 公式题（calculated_question）的数值随机生成，请改成固定数值的数值题',
      '第3行 题目没有作答的地方，请改成选择题、填空题或简答题',
    ])
  })
})

describe('a package', () => {
  const withPicture = item2(
    declared(['C0']),
    `<p>如图<img src="../pictures/a%20b.png" alt="图"/></p><choiceInteraction responseIdentifier="R" maxChoices="1">${choices('甲', '乙')}</choiceInteraction>`,
  )
  const sections = `<assessmentTest><testPart><assessmentSection title="第二章"><assessmentItemRef href="items/2.xml"/></assessmentSection><assessmentSection title="第一章"><assessmentItemRef href="items/1.xml"/></assessmentSection></testPart></assessmentTest>`

  test('brings its items in the order of its test, its sections as chapters, and its pictures', async () => {
    const { questions, bank, placed, pictures, warnings } = await read(
      zipSync({
        'imsmanifest.xml': strToU8('<manifest/>'),
        'test.xml': strToU8(sections),
        'items/1.xml': strToU8(withPicture.replace('.png', '.gif')),
        'items/2.xml': strToU8(item3(single)),
        'pictures/a b.gif': strToU8('picture'),
      }),
      'zip',
    )
    expect(warnings).toEqual([])
    expect([...pictures.values()].map(String)).toEqual(['picture'])
    expect(questions[1]?.stem).toMatch(/<img src="\/media\/[0-9a-f]{32}\.gif" alt="图" \/>/)
    const titles = new Map(bank?.chapters.map(({ no, title }) => [no, title]))
    expect(placed.map(({ chapterNo }) => titles.get(chapterNo))).toEqual(['第二章', '第一章'])
  })

  test('is read in the encoding that each of its files names', async () => {
    const named = (encoding: string) => `<?xml version="1.0" encoding="${encoding}"?>${single}`
    const { questions, faults } = await read(
      zipSync({
        'a.xml': iconv.encode(named('GB2312'), 'gb2312'),
        'b.xml': iconv.encode(named('UTF-16').replace('哪一年', '何年'), 'utf-16le', { addBOM: true }),
        'c.xml': strToU8(single.replace('哪一年', '何时')),
      }),
      'zip',
    )
    expect(faults).toEqual([])
    expect(questions.map(({ stem }) => stem)).toEqual(
      ['哪一年', '何年', '何时'].map((when) => `<p>南昌起义发生在${when}？</p>`),
    )
  })

  test('with a picture whose name looks like half an address is read, and the picture is found', async () => {
    const { pictures, warnings } = await read(
      zipSync({
        'items/1.xml': strToU8(withPicture.replace('a%20b.png', '100%.gif')),
        'pictures/100%.gif': strToU8('picture'),
      }),
      'zip',
    )
    expect(warnings).toEqual([])
    expect([...pictures.values()].map(String)).toEqual(['picture'])
  })

  test('reaches nothing outside itself, and names the file of a fault', async () => {
    writeFileSync(path.join(folder, 'outside.png'), 'secret')
    const { pictures, faults, warnings } = await read(
      zipSync({
        'a.xml': strToU8(withPicture.replace('../pictures/a%20b.png', '../outside.png')),
        'b.xml': strToU8('<assessmentItem><p></assessmentItem>'),
      }),
      'zip',
    )
    expect(pictures.size).toBe(0)
    expect(warnings).toEqual(['a.xml 第1行 图片不可用：../outside.png'])
    expect(faults).toEqual([expect.stringMatching(/^b\.xml .*没有正确结束/)])
  })

  test.each([
    [strToU8('PK no zip'), /不是有效的 ZIP/],
    [zipSync({ 'a.txt': strToU8('x') }), /没有 QTI 题目/],
  ])('that is none is refused', async (bytes, why) => {
    const { bank, faults } = await read(bytes, 'zip')
    expect(bank).toBeNull()
    expect(faults).toEqual([expect.stringMatching(why)])
  })

  test('that says it grows beyond all measure is refused before it is unpacked', async () => {
    const bytes = zipSync({ 'a.xml': strToU8('x') })
    const view = new DataView(bytes.buffer, bytes.byteOffset)
    // The size in the central directory, which is what is read.
    for (let i = 0; i < bytes.length - 4; i++)
      if (view.getUint32(i, true) === 0x02014b50) view.setUint32(i + 24, 0xf0000000, true)
    expect((await read(bytes, 'zip')).faults).toEqual([expect.stringMatching(/超过 512 MB/)])
  })
})
