import { hash } from 'node:crypto'
import type { Question } from '#src/contract/question.ts'
import { partsOf } from '#src/domain/study/study.ts'
import { contentOf } from '#server/content/bank/doubles/content.ts'
import type { PaperFile } from './paperFile.ts'
import type { Placed } from '#server/content/draft.ts'

interface BlueprintSection {
  title: string
  note?: string
  type: Question['type']
  /** As students count: of a material its sub-questions. */
  count: number
  /** Marks of each question or sub-question. */
  score: number
  /** Chapters, at any level, that it draws from; left out, all. */
  chapters?: readonly string[]
}
/** What a paper is made of; which questions fill it follows from `no`, so the same bank always gives the same paper. */
export interface Blueprint extends Pick<PaperFile, 'no' | 'title' | 'minutes' | 'partial' | 'full'> {
  sections: readonly BlueprintSection[]
}

/**
 * Fills blueprints from a bank, one after another: no question twice in all of them, neither by number nor by content, and
 * materials whole. @throws when the bank has too few, or the marks do not add up.
 */
export function buildPapers(blueprints: readonly Blueprint[], bank: readonly Placed[]): PaperFile[] {
  const used = new Set<string>()
  return blueprints.map(({ sections, ...item }) => {
    const sum = sections.reduce((all, { count, score }) => all + count * score, 0)
    if (sum !== item.full) throw new Error(`${item.no}: sections add up to ${sum}, not ${item.full}`)
    return { ...item, sections: sections.map((section, at) => fill(section, `${item.no}/${at}`, bank, used)) }
  })
}

function fill(section: BlueprintSection, seed: string, bank: readonly Placed[], used: Set<string>) {
  const { title, note = '', type, count, score, chapters } = section
  const fitting = bank
    .filter(
      ({ question, chapterNo }) =>
        question.type === type && (!chapters || chapters.some((no) => isWithin(chapterNo, no))),
    )
    .map(({ question }) => ({
      question,
      order: hash('sha256', `${seed}/${question.no}`, 'hex'),
      content: contentOf(question),
    }))
    .filter(({ content }) => !used.has(content))
    .sort((a, b) => (a.order < b.order ? -1 : 1))
  const chosen = exactly(count, fitting)
  if (!chosen) throw new Error(`${seed} ${title}: the bank has too few questions of type ${type}`)
  for (const { content } of chosen) used.add(content)
  return { title, note, questions: chosen.map(({ question }) => ({ no: question.no, score })) }
}

/** A chapter's number begins with its parent's. */
const isWithin = (chapterNo: string, no: string): boolean => chapterNo === no || chapterNo.startsWith(`${no}_`)

/** The first questions in order whose parts are just so many, none alike; null when none are. */
function exactly<Q extends { question: Question; content: string }>(count: number, from: readonly Q[]): Q[] | null {
  if (count === 0) return []
  for (const [at, each] of from.entries()) {
    const parts = partsOf(each.question).length
    if (parts > count) continue
    const others = from.slice(at + 1).filter(({ content }) => content !== each.content)
    const rest = exactly(count - parts, others)
    if (rest) return [each, ...rest]
    // Where every question counts one, another first one finds no more than this one did.
    if (parts === 1) return null
  }
  return null
}
