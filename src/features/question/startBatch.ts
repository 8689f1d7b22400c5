import { MINUTE_MS } from '#src/domain/time/day.ts'
import { v7 as uuidv7 } from 'uuid'
import type { Question } from '#src/contract/question.ts'
import { seeded, shuffled } from '#src/domain/question/shuffle.ts'
import { partsOf } from '#src/domain/study/study.ts'
import { chapterBatch } from '#src/offline/drafts/practice.ts'
import { liked, newSeed } from '#src/player/tools/arrange.ts'
import { isBegun, isFinished, isSealed, type Item, type PlayerState, start } from '#src/player/playerState.ts'
import { feedback } from '#src/ui/feedback/feedback.ts'
export { liked } from '#src/player/tools/arrange.ts'
import { offline } from '#src/offline/index.ts'
import type { StudyMode } from '#src/domain/study/modes.ts'
import { type IsOver, loadHint, type Pick, type Selection, statesOf } from './dealt.ts'
import { allDone, noneWrong } from './readingOrder.ts'
import { factsOf, fits } from './selection.ts'
import { choiceOf, loadSetup, type Setup } from './setup.ts'

/** Nobody is quicker for long. */
const PER_MINUTE = 6

/** What the student chose, as something to deal by. `pick` says more than it where 只做错题 was asked for just now. */
export function chosen(no: string, size: number, pick: Pick, round: number): Selection {
  const setup = loadSetup(no)
  const since = Math.max(setup.since, round)
  const filter = { ...setup, since, pick: pick === 'wrong' ? pick : setup.pick }
  const random = setup.order === 'random' ? seeded(String(newSeed())) : null
  return {
    wants: (part, home, state) => fits(factsOf(part, home, state), filter),
    size: setup.minutes > 0 ? setup.minutes * PER_MINUTE : size,
    mix: random && ((list) => shuffled(list, random)),
    hints: pick === 'undone' && choiceOf(setup) === '',
    isOver: overBy(filter),
  }
}

/** What was answered long enough ago counts as undone, and a chapter does not count when. */
function overBy({ pick, since }: Setup): IsOver | undefined {
  if (pick === 'wrong') return noneWrong
  return pick !== 'all' && since === 0 ? allDone : undefined
}

/** A batch of these questions, as the student likes to have them. */
export function begin(items: readonly Item[], no: string): PlayerState {
  const setup = loadSetup(no)
  const state = liked(start(items, setup.mode))
  const id = setup.mode === 'exam' && { id: uuidv7() }
  return {
    ...state,
    deal: { seed: 0, ...state.deal, choice: choiceOf(setup), limitMs: setup.minutes * MINUTE_MS, ...id },
  }
}

/** What was left, in the mode chosen since. What was begun as an exam ends as one, and nothing becomes one on the way. */
export const inMode = (left: PlayerState, mode: StudyMode): PlayerState =>
  isSealed(left.mode) || mode === 'exam' ? left : { ...left, mode }

/** The batch that was left; a new one where nothing of it is to be done, or the student has chosen otherwise since and wants one. */
export async function goOn(
  left: PlayerState,
  no: string,
  deal: () => Promise<PlayerState | null>,
): Promise<PlayerState | null> {
  const setup = loadSetup(no)
  const again = liked(inMode(left, setup.mode))
  const choice = choiceOf(setup)
  if (choice === (left.deal?.choice ?? '')) {
    const items = await stillToDo(again, no)
    // Where nothing can be dealt now, what there is stays.
    return items.length > 0 ? { ...again, items } : deal().catch(() => again)
  }
  // Without a choice, what was left is what the student comes back to; a dead battery forgets a choice just made.
  if (choice === '') return again
  if (isBegun(left) && !isFinished(left) && !(await wantsNew(left))) return again
  await offline.dropDraft(chapterBatch.key(no)).catch(() => {})
  return deal()
}

/** Of a batch that nobody has begun, what would still be dealt: the rest was answered elsewhere. */
async function stillToDo(state: PlayerState, no: string): Promise<readonly Item[]> {
  const { items } = state
  if (!state.dealt || isBegun(state)) return items
  const homeOf = ({ part, material }: Item) => material ?? part
  const [states, { round }] = await Promise.all([statesOf({ questions: items.map(homeOf) }), loadHint(no)])
  const { wants } = chosen(no, items.length, 'undone', round)
  const isWanted = (home: Question) => partsOf(home).some((part) => wants(part, home, states.get(part.no)))
  return items.filter((item) => isWanted(homeOf(item)))
}

/** Asks where what was left and what is wanted now are not the same. */
export const wantsNew = async ({ mode }: PlayerState): Promise<boolean> =>
  (await feedback.ask({
    ...(mode === 'exam'
      ? { title: '上一组还没交卷', message: '继续做上一组，还是开始新的一组？开始新的一组，上一组已选的答案不会保留。' }
      : {
          title: '上一组还没做完',
          message: '它是按别的练习设置开始的。继续做上一组，还是按新的设置开始？已确认的作答都会保留。',
        }),
    actions: [
      { key: 'left', label: '继续上一组', tone: 'primary' },
      { key: 'new', label: mode === 'exam' ? '开始新的一组' : '按新设置开始' },
    ],
  })) === 'new'
