import { v5 as uuidv5 } from 'uuid'
import type { ExamKey } from '#src/contract/exam.ts'
import { isAnswered, isRight, mark } from '#src/domain/question/marking.ts'
import type { Score } from '#src/domain/question/rules.ts'
import { scoredParts } from '#src/domain/paper/paper.ts'
import { placeOf } from '#src/domain/study/study.ts'
import { examRecorded } from '#src/offline/drafts/exam.ts'
import { answerAct, type AnswerFact, offline } from '#src/offline/index.ts'
import { type Item, type PartState, partState, type PlayerState, start } from '#src/player/playerState.ts'
import { restoreOn } from '#src/player/snapshot.ts'
import { itemsOfPaper } from '#src/sitting/engine/sitting.ts'
import { readHanded, readReview } from './sitting.ts'

/** The same on every tab: what was recorded twice counts once. */
const answerId = ({ attemptId }: ExamKey, questionNo: string): string => uuidv5(questionNo, attemptId)

/** A sitting to look through, as it was answered, with its key; essays are the student's to mark. */
export async function openReview(key: ExamKey): Promise<PlayerState> {
  const items = itemsOfPaper(key)
  const [saved, handed] = await Promise.all([readReview(key.attemptId), readHanded(key.attemptId)])
  if (saved) return { ...restoreOn(saved, items), mode: 'review', at: 0 }
  const given = new Map(key.given.map((each) => [each.questionNo, each]))
  const blank = start(items, 'review')
  const parts = items.map(({ part }): [string, PartState] => {
    const { response, spentMs } = given.get(part.no) ?? partState(blank, part)
    const flagged = handed?.parts[part.no]?.flagged ?? false
    const theirs = part.type === 'essay' && isAnswered(response)
    const right = theirs ? null : isRight(part, response)
    return [part.no, { response, spentMs, right, opened: theirs, flagged, strict: key.partial === 'none' }]
  })
  return { ...blank, parts: Object.fromEntries(parts) }
}

/** What the student has given to essays so far, by question: on this device, where they were marked. */
export async function readOwnMarks({ attemptId: id, sections, partial }: ExamKey): Promise<ReadonlyMap<string, Score>> {
  const parts = (await readReview(id))?.parts ?? {}
  const scored = sections.flatMap(({ entries }) => entries.flatMap(scoredParts))
  return new Map(
    scored.flatMap(({ part, full }): [string, Score][] => {
      const saved = parts[part.no]
      if (part.type !== 'essay' || !saved || saved.right === null) return []
      return [[part.no, mark(part, saved.response, full, partial).score]]
    }),
  )
}

/**
 * What the sitting answered goes to the record, once: error book, reviews and statistics. Only the device that sat it does so;
 * others get it from the server.
 */
export async function recordAnswers(key: ExamKey): Promise<void> {
  const { attemptId: id } = key
  if (!(await readHanded(id)) || (await offline.loadDraft(examRecorded.key(id)))) return
  const given = new Map(key.given.map((each) => [each.questionNo, each]))
  const facts = itemsOfPaper(key).flatMap((item: Item): AnswerFact[] => {
    const { part } = item
    const each = given.get(part.no)
    // An essay is recorded when the student has marked it.
    if (!each || part.type === 'essay') return []
    const { questionNo, response, spentMs } = each
    const right = isRight(part, response)
    const version = part.version ?? 1
    const opId = answerId(key, questionNo)
    return [{ opId, questionNo, response, spentMs, from: 'exam', version, right, place: placeOf(part, item) }]
  })
  await offline.addAll(facts.map(answerAct), { key: examRecorded.key(id), value: true as const })
}
