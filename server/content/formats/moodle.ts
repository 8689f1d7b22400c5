import { asksForComposition } from '#server/content/composition.ts'
import { chosenFrom, filledIn, inRightOrder, matched, rightOnes, trueOrFalse } from './answers.ts'
import { decodedName } from '#server/content/media/mediaFiles.ts'
import { clozeParts, gapParts } from './cloze.ts'
import { type Draft, FileFault, type Intake } from '#server/content/draft.ts'
import { NotHeld } from './notHeld.ts'
import { type Element, element, elements, readElements, textIn } from './xml.ts'

/** Of Moodle's types those that a student answers on paper, too; the others are worked out by Moodle or pointed at in a picture. */
const NOT_HELD: Record<string, string> = {
  calculated: '计算题（calculated）的数值由 Moodle 随机生成，请改成固定数值的数值题',
  calculatedsimple: '计算题（calculatedsimple）的数值由 Moodle 随机生成，请改成固定数值的数值题',
  calculatedmulti: '计算选择题（calculatedmulti）的数值由 Moodle 随机生成，请改成固定数值的选择题',
  random: '随机题（random）没有自己的内容',
  randomsamatch: '随机匹配题（randomsamatch）没有自己的内容',
  ddimageortext: '图上拖放题（ddimageortext）无法表示，请改成选择题',
  ddmarker: '图上标记题（ddmarker）无法表示，请改成选择题',
}

/** Moodle XML, as Moodle 2 and later export it: docs.moodle.org, “Moodle XML format”. @throws FileFault */
export async function readMoodle(pieces: AsyncIterable<string>, intake: Intake): Promise<void> {
  let chapter: string | undefined
  let n = 0
  let pictures = 0
  const keep: Keep = (bytes, ending) => {
    const name = `moodle-${++pictures}.${ending}`
    intake.picture(name, bytes)
    return name
  }
  const reading = readElements(/^question$/, (question, line) => {
    const type = question.attributes['type'] ?? ''
    if (type === 'category') {
      chapter = chapterOf(textIn(element(element(question, 'category'), 'text')))
      return
    }
    n++
    const at = `第${line}行`
    const warn = (reason: string) => intake.report('warning', at, reason)
    if (type === 'description') return warn('说明文字（description）没有答案，未导入')
    try {
      unpack(question, keep, warn)
      const made = draft(type, question, warn)
      intake.draft({ ...made, at, chapter, points: pointsOf(question) })
    } catch (error) {
      if (!(error instanceof NotHeld)) throw error
      intake.report('fault', at, error.message)
    }
  })
  for await (const piece of pieces) reading.write(piece)
  reading.end()
  if (n === 0) throw new FileFault('文件里没有 Moodle 题目（<question>）')
}

type Warn = (reason: string) => void
/** Keeps a picture; the name that it gets stands in the texts. */
type Keep = (bytes: Uint8Array, ending: string) => string

/** `$course$/top/第一章/第一节`; a slash of a title is written twice. */
const chapterOf = (path: string): string | undefined =>
  path
    .trim()
    .split(/(?<!\/)\/(?!\/)/)
    .map((title) => title.replaceAll('//', '／').trim())
    .filter((title, i) => title !== '' && !(i < 2 && /^(\$\w+\$|top)$/.test(title)))
    .join('/') || undefined

const pointsOf = (question: Element): string[] | undefined => {
  const tags = elements(element(question, 'tags') ?? question, 'tag').map((tag) => textIn(tag).trim())
  return tags.some(Boolean) ? [...new Set(tags.filter(Boolean))] : undefined
}

function draft(type: string, question: Element, warn: Warn): Draft {
  const head = { at: '', stem: html(element(question, 'questiontext'), warn), analysis: analysisOf(question, warn) }
  if (number(element(question, 'hidden')) === 1) warn('在 Moodle 中是隐藏的题目')
  switch (type) {
    case 'multichoice':
      return choice(question, head, warn)
    case 'truefalse': {
      const [right, wrong] = ['true', 'false'].map((name) => answers(question, warn).find(({ raw }) => raw === name))
      if (!right || !wrong) throw new NotHeld('判断题（truefalse）需要 true 和 false 两个答案')
      return trueOrFalse(head, right.earns > wrong.earns, { right: right.feedback, wrong: wrong.feedback })
    }
    case 'shortanswer':
      return filledIn(head, answers(question, warn).map(asRaw), warn)
    case 'numerical':
      return numerical(question, head, warn)
    case 'matching':
    case 'match':
      return matched(
        head,
        elements(question, 'subquestion').map((sub) => ({
          left: html(sub, warn),
          right: textIn(element(element(sub, 'answer'), 'text')).trim(),
        })),
      )
    case 'ordering':
    case 'order':
      return ordering(question, head, warn)
    case 'essay':
      return {
        ...head,
        type: asksForComposition(head.stem) ? 'composition' : 'essay',
        reference: html(element(question, 'graderinfo'), warn) || head.analysis,
      }
    case 'cloze':
    case 'multianswer':
      return clozeParts(head, warn)
    case 'gapselect':
      return gapParts(head, choicesOf(question, 'selectoption'))
    case 'ddwtos':
      return gapParts(head, choicesOf(question, 'dragbox'))
    default:
      throw new NotHeld(NOT_HELD[type] ?? (type === '' ? '题目没有写题型（type）' : `题型 ${type} 无法识别`))
  }
}

interface Answer {
  text: string
  /** As it was typed, for what is compared and not shown. */
  raw: string
  earns: number
  feedback: string
  /** Of a number. */
  tolerance: number
}
const answers = (question: Element, warn: Warn): Answer[] =>
  elements(question, 'answer').map((answer) => ({
    text: html(answer, warn),
    raw: textIn(element(answer, 'text')).trim(),
    earns: Number(answer.attributes['fraction'] ?? 0),
    feedback: feedback(element(answer, 'feedback'), warn),
    tolerance: number(element(answer, 'tolerance')),
  }))
const asRaw = (answer: Answer): Answer => ({ ...answer, text: answer.raw })

function choice(question: Element, head: Draft, warn: Warn): Draft {
  const made = chosenFrom(head, answers(question, warn), warn)
  // Several of which a student takes one: each would be right.
  if (/^(true|1)$/.test(textIn(element(question, 'single')).trim()) && made.type === 'multiple')
    throw new NotHeld('单选题有多个满分答案，请改为多选题（single 为 false）')
  return made
}

/** Moodle lists the items in the right order, and may ask for some of them only. */
function ordering(question: Element, head: Draft, warn: Warn): Draft {
  const selected = textIn(element(question, 'selecttype')).trim().toUpperCase()
  if (/^(RANDOM|CONTIGUOUS|[12])$/.test(selected)) warn('Moodle 每次只抽其中几项，这里要求排全部各项')
  const texts = answers(question, warn).map(({ text }) => text)
  return inRightOrder(head, texts)
}

function numerical(question: Element, head: Draft, warn: Warn): Draft {
  const given = answers(question, warn)
  const margin = Math.max(
    number(element(question, 'tolerance')),
    ...rightOnes(given, () => {}).map((each) => each.tolerance),
  )
  if (margin > 0) warn('数值题的误差范围没有保留，只收中心值')
  if (element(question, 'units')) warn('数值题的单位没有保留')
  return filledIn(head, given.filter(({ raw }) => raw !== '*').map(asRaw), warn)
}

const choicesOf = (question: Element, name: string) =>
  elements(question, name).map((each) => ({
    text: textIn(element(each, 'text')).trim(),
    group: textIn(element(each, 'group')).trim() || '1',
  }))

const number = (of: Element | undefined): number => Number(textIn(of)) || 0

/** Moodle fills in these where nobody wrote any: they tell nothing of a question. */
const STOCK = /^(Your answer is (partially )?(in)?correct\.|回答(部分)?(正确|错误)。?|你的回答(部分)?(正确|不正确)。?)$/
const feedback = (of: Element | undefined, warn: Warn): string => {
  const text = html(of, warn)
  return STOCK.test(text.replace(/<[^>]*>/g, '').trim()) || text.replace(/<(?!img)[^>]*>|&nbsp;|\s/gi, '') === ''
    ? ''
    : text
}
const analysisOf = (question: Element, warn: Warn): string =>
  ['generalfeedback', 'correctfeedback', 'incorrectfeedback']
    .map((name) => feedback(element(question, name), warn))
    .filter((text, i, all) => text !== '' && all.indexOf(text) === i)
    .join('\n')

/** The text of a field as HTML. */
function html(of: Element | undefined, warn: Warn): string {
  if (!of) return ''
  const text = textIn(element(of, 'text')).trim()
  const format = of.attributes['format'] ?? 'html'
  if (format === 'markdown') warn('Markdown 的标记按原文导入')
  return format === 'plain_text' ? text.replaceAll('&', '&amp;').replaceAll('<', '&lt;') : text
}

/** Takes the files out of all fields; the texts name their pictures as they are packed. */
function unpack(of: Element, keep: Keep, warn: Warn): void {
  const files = elements(of, 'file')
  const text = element(of, 'text')
  if (text && files.length > 0) text.children = [withFiles(textIn(text), files, keep, warn)]
  for (const child of of.children) if (typeof child !== 'string' && child.name !== 'file') unpack(child, keep, warn)
}

const PICTURE = /\.(png|jpe?g|gif|webp|svg)$/i
function withFiles(text: string, files: readonly Element[], keep: Keep, warn: Warn): string {
  const names = new Map<string, string>()
  for (const file of files) {
    const { name = '', path = '/', encoding } = file.attributes
    const ending = PICTURE.exec(name)?.[1]?.toLowerCase()
    if (encoding !== 'base64' || !ending) {
      warn(`附件不是能用的图片，未导入：${name.slice(0, 80)}`)
      continue
    }
    names.set(path + name, keep(Buffer.from(textIn(file), 'base64'), ending))
  }
  const used = new Set<string>()
  const shown = text.replaceAll(/@@PLUGINFILE@@(\/[^"'\s<>?]*)(\?[^"'\s<>]*)?/g, (whole, where: string) => {
    const name = decodedName(where)
    used.add(name)
    return names.get(name) ?? whole
  })
  for (const name of names.keys()) if (!used.has(name)) warn(`图片没有用到，未导入：${name.slice(1, 80)}`)
  return shown
}
