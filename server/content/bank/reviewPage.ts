import { createWriteStream, readFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type PlainQuestion, type Question, TYPE_NAMES } from '#src/contract/question.ts'
import { wantedText } from '#src/domain/question/composition.ts'
import { namedType } from '#src/domain/question/listedType.ts'
import { keyText } from '#src/domain/question/types.ts'
import type { Bank, Draft, Finding } from '#server/content/draft.ts'
import { escaped } from '#server/content/formats/xml.ts'
import type { Checked } from './checked.ts'

const STYLES = ['../../../src/ui/tokens.css', './reviewPage.css'].map((file) => new URL(file, import.meta.url))
/** Texts are sanitised already; should one ever slip through, a page that is opened from a disk still runs and fetches nothing. */
const POLICY = "default-src 'none'; img-src data:; media-src data:; style-src 'unsafe-inline'"

/**
 * Writes a page on which a teacher reads each question as students will see it, beside what the file says, with what was found. It
 * stands alone: pictures and styles are in it, and nothing in it runs.
 * @param file must not exist
 */
export async function writeReviewPage(file: string, checked: readonly Checked[]): Promise<void> {
  await pipeline(Readable.from(reviewPage(checked)), createWriteStream(file, { flags: 'wx' }))
}

/** The page piece by piece, so that a large bank is never in memory whole. */
export function* reviewPage(checked: readonly Checked[]): Generator<string> {
  const style = STYLES.map((url) => readFileSync(url, 'utf8')).join('\n')
  yield (
    `<!doctype html><html lang="zh-CN"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
      `<meta http-equiv="Content-Security-Policy" content="${POLICY}"><title>导入核对</title><style>${style}</style></head><body>` +
      `<header><h1>导入核对</h1><p>左边是学生将看到的题目，右边是文件里的原文。</p>${choicesOf(checked)}</header><main>`
  )
  for (const [i, one] of checked.entries()) yield* sectionOf(one, i)
  yield `</main></body></html>\n`
}

/** The teacher chooses what to look at; the stylesheet hides the rest. */
function choicesOf(checked: readonly Checked[]): string {
  const sum = (count: (one: Checked) => number) => checked.reduce((n, one) => n + count(one), 0)
  const choices = [
    ['all', `全部 ${sum(({ total }) => total)} 题`],
    ['found', '有错误或提醒'],
    ['fault', '有错误'],
  ]
  return `<form aria-label="显示哪些题">${choices
    .map(
      ([value, label], i) =>
        `<label><input type="radio" name="shown" value="${value}"${i === 0 ? ' checked' : ''}>${label}</label>`,
    )
    .join('')}</form>`
}

function* sectionOf(one: Checked, i: number): Generator<string> {
  const { file, bank, total, importable, faults, warnings, spool } = one
  const title = bank ? `${bank.library.title}（${file}）` : file
  yield `<section><h2>${escaped(title)}</h2><p class="counts">共 ${total} 题，可导入 ${importable}，错误 ${faults}，提醒 ${warnings}</p>`
  const general = spool.findingsAt(0)
  if (general.length > 0) yield `<div class="general">${findingList(general, true)}</div>`
  const chapters = chapterPaths(bank)
  const shown = withPictures((name) => spool.picture(name))
  for (const { place, draft, placed } of spool.judged()) {
    const findings = spool.findingsAt(place)
    const level = placed ? (findings.length > 0 ? 'found' : 'none') : 'fault'
    yield (
      `<article id="q${i + 1}-${place}" data-level="${level}"><h3>${escaped(draft.at)}</h3>` +
        findingList(findings, false) +
        `<div class="pair"><div class="seen">${placed ? shown(questionHtml(placed.question)) : '<p class="none">这一题不会导入，学生看不到。</p>'}</div>` +
        `<div class="source">${sourceTable({ ...draft, chapter: chapters.get(draft.chapter ?? '') ?? draft.chapter })}</div></div></article>`
    )
  }
  yield `</section>`
}

/** Titles from the top, by the chapter's number: readers of tables make numbers up. */
function chapterPaths(bank: Bank | null): Map<string, string> {
  const paths = new Map<string, string>()
  for (const { no, parent, title } of bank?.chapters ?? [])
    paths.set(no, parent === null ? title : `${paths.get(parent) ?? ''} / ${title}`)
  return paths
}

function findingList(findings: readonly Omit<Finding, 'file'>[], withPlace: boolean): string {
  const items = findings.map(({ level, at, reason }) => {
    const word = level === 'fault' ? '错误' : '提醒'
    return `<li data-level="${level}"><b>${word}</b>${withPlace ? `${escaped(at)}：` : ''}${escaped(reason)}</li>`
  })
  return items.length > 0 ? `<ul class="findings">${items.join('')}</ul>` : ''
}

/** Pictures and recordings that came with the file stand in the page itself; others are on the server, and their place is told. */
function withPictures(picture: (name: string) => Buffer | null): (html: string) => string {
  return (html) =>
    html.replace(/<(img|audio)\b[^>]*?\bsrc="([^"]*)"[^>]*>/g, (tag, kind: string, source: string) => {
      const name = source.replace(/^\/media\//, '')
      const bytes = picture(name)
      if (!bytes) return `<span class="away">［${kind === 'img' ? '图片' : '录音'}在服务器上：${source}］</span>`
      const shown = kind === 'img' ? tag : tag.replace('<audio', '<audio controls')
      return shown.replace(`"${source}"`, `"data:${mimeOf(name)};base64,${bytes.toString('base64')}"`)
    })
}
function mimeOf(name: string): string {
  const ending = name.slice(name.lastIndexOf('.') + 1)
  if (ending === 'mp3') return 'audio/mpeg'
  return `image/${ending === 'jpg' ? 'jpeg' : ending === 'svg' ? 'svg+xml' : ending}`
}

/** A question with its answer, its HTML as the importer has sanitised it. */
function questionHtml(question: Question): string {
  const { stem, analysis } = question
  const asked =
    question.type === 'composite'
      ? question.parts
          .map((part, i) => `<div class="part"><h4>第 ${i + 1} 小题</h4>${questionHtml(part)}</div>`)
          .join('')
      : askedHtml(question)
  const about = [
    ...question.points.map(({ name }) => name),
    `难度 ${question.difficulty}`,
    question.source,
    question.year ? `${question.year} 年` : '',
  ].filter(Boolean)
  return (
    `<span class="type">${TYPE_NAMES[namedType(question)]}</span><div class="stem">${stem}</div>${asked}` +
    (analysis ? `<div class="analysis"><b>解析</b>${analysis}</div>` : '') +
    `<p class="about">${escaped(about.join(' · '))}</p>`
  )
}

function askedHtml(question: PlainQuestion): string {
  if (question.type === 'essay') {
    const scores = question.scoring.map(({ html, score }) => `<li>${html}（${score / 100} 分）</li>`).join('')
    const { composition } = question
    const length = composition?.length ? `<p class="answer"><b>字数要求</b>${wantedText(composition.length)}</p>` : ''
    const [model, rubric] = composition ? ['范文', '<b>评分标准</b>'] : ['参考答案', '']
    return `${length}<div class="answer"><b>${model}</b>${question.reference}${scores && `${rubric}<ul>${scores}</ul>`}</div>`
  }
  if (question.type === 'blank') {
    const blanks = question.blanks.map((texts) => `<li>${texts.map(escaped).join(' 或 ')}</li>`).join('')
    return `<div class="answer"><b>答案${question.unordered ? '（各空可互换）' : ''}</b><ol>${blanks}</ol></div>`
  }
  const right = question.type === 'order' ? [] : question.key
  const options = question.options.map(
    ({ id, html, why }) =>
      `<li${right.includes(id) ? ' data-right' : ''}><b>${id}</b><div>${html}${why ? `<div class="why">${why}</div>` : ''}</div></li>`,
  )
  return `<ul class="options">${options.join('')}</ul><p class="answer"><b>答案</b>${escaped(keyText(question))}</p>`
}

/** The table shows what the file says, field by field, untouched. */
function sourceTable(draft: Draft): string {
  const letters = (i: number) => String.fromCharCode(65 + i)
  const rows: [string, string | undefined][] = [
    ['编号', draft.no],
    ['章节', draft.chapter],
    ['题型', draft.type],
    ['题干', draft.stem],
    ...(draft.options ?? []).map((text, i): [string, string] => [`选项${letters(i)}`, text]),
    ['答案', draft.answer],
    ['各空', draft.blanks?.map((texts) => texts.join(' | ')).join('\n')],
    ['参考答案', draft.reference],
    ['字数要求', draft.words],
    ['采分点', draft.scoring?.map(({ text, score }) => `${text}（${score} 分）`).join('\n')],
    ['解析', draft.analysis],
    ...Object.entries(draft.reasons ?? {}).map(([id, text]): [string, string] => [`${id}解析`, text]),
    ['知识点', draft.points?.join('；')],
    ['难度', draft.difficulty?.toString()],
    ['来源', draft.source],
    ['年份', draft.year?.toString()],
  ]
  const cells = rows.flatMap(([name, text]) =>
    text === undefined || text === '' ? [] : `<tr><th scope="row">${name}</th><td>${escaped(text)}</td></tr>`,
  )
  const parts = (draft.parts ?? []).map((part, i) => `<h4>第 ${i + 1} 小题</h4>${sourceTable(part)}`)
  return `<table>${cells.join('')}</table>${parts.join('')}`
}
