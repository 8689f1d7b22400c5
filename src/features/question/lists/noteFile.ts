import type { Located } from '#src/contract/question.ts'
import type { StudyState } from '#src/contract/study.ts'
import { dateOf, dayOf } from '#src/domain/time/day.ts'
import { escapedMarks, lessonNotesText } from '#src/domain/course/lessonNotes.ts'
import { offline } from '#src/offline/index.ts'
import { download } from '#src/ui/download.ts'
import { questionsOf } from './listStudy.ts'
import { stemOf } from './marked.ts'

/** All notes as Markdown, the newest first: place, question, note, day; then those on lessons. */
export async function downloadNotes(placeOf: (state: StudyState) => string): Promise<void> {
  const states = await offline.shelf('noted', { backwards: true })
  const nos = states.map(({ questionNo }) => questionNo)
  const located = await questionsOf(nos)
  const now = Date.now()
  const ofLessons = lessonNotesText(await offline.things('lessonNote'), now)
  const text = [notesText(states, located, placeOf, now), ofLessons].filter(Boolean).join('\n')
  download(new Blob([text], { type: 'text/markdown;charset=utf-8' }), `笔记-${dateOf(dayOf(now))}.md`)
}

export function notesText(
  states: readonly StudyState[],
  located: ReadonlyMap<string, Located>,
  placeOf: (state: StudyState) => string,
  now: number,
): string {
  const each = states.flatMap((state, i) => {
    const stem = stemOf(state.questionNo, located.get(state.questionNo)) ?? '（题目还没有下载）'
    const notes = (state.notes ?? []).map(({ text, at }) => `${text}\n\n（${dateOf(dayOf(at))}）`)
    return [`## ${i + 1}. ${escapedMarks(placeOf(state)) || '题目'}`, `> ${escapedMarks(stem)}`, ...notes]
  })
  return `${[`# 我的笔记`, `共 ${states.length} 题，导出于 ${dateOf(dayOf(now))}。`, ...each].join('\n\n')}\n`
}
