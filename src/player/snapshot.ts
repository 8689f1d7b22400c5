import type { PlainQuestion, Question } from '#src/contract/question.ts'
import { rulesOf } from '#src/domain/question/types.ts'
import { partsOf } from '#src/domain/study/study.ts'
import type { Snapshot } from '#src/offline/drafts/practice.ts'
import { type Item, itemsOf, type PartState, type PlayerState } from './playerState.ts'

export const snapshot = (state: PlayerState): Snapshot => ({
  v: 1,
  at: state.at,
  mode: state.mode,
  items: state.items.map(({ part, chapterNo, libraryNo, block }) => ({ no: part.no, chapterNo, libraryNo, block })),
  parts: { ...state.parts },
  ...(state.deal && { deal: state.deal }),
  ...(state.dealt && { dealt: state.dealt }),
  ...(state.usedMs && { usedMs: state.usedMs }),
})

/** A marked answer stands as it was given; one that is still open must be one that this question can still be given. */
function fits(question: PlainQuestion, { response, right }: PartState): boolean {
  const rules = rulesOf(question)
  return rules.kind === response.kind && (right !== null || rules.goesOn(question, response))
}

/** Goes on from a snapshot with the questions that are still there; one that changed its shape starts anew. */
export function restore(saved: Snapshot, questions: readonly Question[]): PlayerState {
  const homes = new Map(questions.flatMap((each) => [each, ...partsOf(each)].map(({ no }) => [no, each] as const)))
  const itemsAt = ({ no, ...place }: Snapshot['items'][number]): Item[] => {
    const home = homes.get(no)
    return home ? itemsOf(home, place).filter(({ part }) => no === home.no || no === part.no) : []
  }
  return restoreOn(saved, saved.items.flatMap(itemsAt))
}

const asKept = new WeakSet<PlayerState>()
/** Nothing has happened to it since it was read from the device. */
export const isAsKept = (state: PlayerState): boolean => asKept.has(state)

/** The same over questions that are dealt already, as a paper's are: what was left out of it since is left out here. */
export function restoreOn(saved: Snapshot, items: readonly Item[]): PlayerState {
  const known = new Map(items.map(({ part }) => [part.no, part]))
  const parts = Object.fromEntries(
    Object.entries(saved.parts).filter(([no, part]) => {
      const question = known.get(no)
      return question !== undefined && fits(question, part)
    }),
  )
  const current = saved.items[saved.at]?.no
  const at = items.findIndex(({ part, material }) => part.no === current || material?.no === current)
  // Reciting ends with the visit: a student who comes back comes to answer.
  const mode = saved.mode === 'recite' ? 'practice' : saved.mode
  const { deal, dealt, usedMs } = saved
  const kept = { ...(deal && { deal }), ...(dealt && { dealt }), ...(usedMs && { usedMs }) }
  const state = { items, at: Math.max(0, at), mode, parts, ...kept }
  asKept.add(state)
  return state
}
