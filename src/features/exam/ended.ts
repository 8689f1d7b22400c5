import { type EndedExam, endedExam } from '#src/offline/drafts/exam.ts'
import { readDrafts } from '#src/offline/drafts/kind.ts'
import { offline } from '#src/offline/index.ts'
import { refusalsOf } from '#src/sitting/engine/refusals.ts'
import { handIn, openSitting, readElapsed } from '#src/sitting/engine/sitting.ts'
import { isSurelyOver, timeOf } from '#src/sitting/engine/time.ts'
import { examPolicy } from './policy.ts'
import { type ExamSitting, isHanded, type PaperHead, readPaper, readPaperHead, readSittings, tabOf } from './sitting.ts'

/** A sitting that is open on this device. */
export interface OpenSitting {
  sitting: ExamSitting
  paper: PaperHead
  /** How far its clock had come when it was written last. */
  elapsedMs: number
}
export interface Sittings {
  open: OpenSitting[]
  ended: EndedExam[]
}

/** What of exams this device has to tell on any page. Without its paper a sitting can be neither shown nor handed in. */
export async function readOpen(): Promise<Sittings> {
  const [known, sittings, told] = await Promise.all([
    offline.things('exam'),
    readSittings(),
    readDrafts(offline, endedExam),
  ])
  const open = sittings.map(async (sitting): Promise<OpenSitting[]> => {
    if (isHanded(known.get(sitting.id), true)) return []
    const [paper, elapsedMs] = await Promise.all([readPaperHead(sitting.id), readElapsed(examPolicy, sitting.id)])
    return paper ? [{ sitting, paper, elapsedMs }] : []
  })
  return {
    open: (await Promise.all(open)).flat(),
    // The note is written before the hand-in, which may not have come to pass.
    ended: told.flatMap(({ value }) => (isHanded(known.get(value.id), true) ? [value] : [])),
  }
}

/** The student has read it. */
export const dropEnded = (id: string): Promise<void> => offline.dropDraft(endedExam.key(id)).catch(() => {})

/**
 * Hands in a sitting whose time is over, with the time that it had, as its own page does when it is open then. A tab that has it
 * open does it itself, and of several tabs without it one does. A hand-in that the server has refused is left to the student, who
 * is told why: handed in by itself it would be refused for ever.
 * @throws StorageError when the device could not keep it; the sitting then stays open.
 */
export async function sealEnded(open: OpenSitting): Promise<void> {
  const { id } = open.sitting
  if ((await refusalsOf(examPolicy.marked, id)).length > 0) return
  const locks = typeof navigator === 'undefined' ? null : (navigator.locks ?? null)
  if (!locks) return seal(open)
  // Asked, not taken: the page that is opened meanwhile must not find the sitting in another tab.
  const { held = [] } = await locks.query()
  if (held.some(({ name }) => name === tabOf(id))) return
  await locks.request(`examSeal:${id}`, { ifAvailable: true }, (lock) => (lock ? seal(open) : undefined))
}

async function seal({ sitting }: OpenSitting): Promise<void> {
  const { id } = sitting
  const paper = await readPaper(id)
  if (!paper) return
  const opened = await openSitting(examPolicy, paper, sitting)
  const time = timeOf(examPolicy, opened)
  if (!(await isSurelyOver(time, time.clock.reread))) return
  await offline.saveDraft({ key: endedExam.key(id), value: { id, no: paper.no, title: paper.title } })
  await handIn(examPolicy, { ...opened, taken: time.taken(opened.state) })
}
