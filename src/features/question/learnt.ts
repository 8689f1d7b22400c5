import type { Source } from '#src/contract/study.ts'
import { isAnswered } from '#src/domain/question/marking.ts'
import type { Practice } from '#src/domain/study/stats.ts'
import { partState, type PlayerState } from '#src/player/playerState.ts'

type Usual = Pick<Practice, 'answered' | 'right' | 'spentMs'>
type Tally = Usual & { run: number; points: ReadonlyMap<string, { answered: number; wrong: number }> }

/** Says what was answered in a batch: how much of it was right, how long it took, and what was asked. */
export function tallyOf(state: PlayerState): Tally {
  const points = new Map<string, { answered: number; wrong: number }>()
  const sum = { answered: 0, right: 0, spentMs: 0, run: 0 }
  let run = 0
  for (const { part } of state.items) {
    const { response, right, spentMs } = partState(state, part)
    if (right === null || !isAnswered(response)) continue
    sum.answered += 1
    sum.right += right ? 1 : 0
    sum.spentMs += spentMs
    run = right ? run + 1 : 0
    sum.run = Math.max(sum.run, run)
    for (const { name } of part.points) {
      const { answered, wrong } = points.get(name) ?? { answered: 0, wrong: 0 }
      points.set(name, { answered: answered + 1, wrong: wrong + (right ? 0 : 1) })
    }
  }
  return { ...sum, points }
}

/** Fewer answers before this batch, some days of them, say nothing of what is usual. */
const ENOUGH = 60
/** A batch is slower or quicker than usual by so much at least; less is chance. */
const SLOWER = 1.25
const SLOWER_MS = 5_000
const QUICKER = 0.8
/** A run of right answers that is worth a word. */
const RUN = 5
const BETTER = 0.05

/** All that was answered before this batch, of a record that has it already; null: too little. */
function before(tally: Tally, all: Usual): { share: number; paceMs: number } | null {
  const answered = all.answered - tally.answered
  if (answered < ENOUGH || tally.answered === 0) return null
  return { share: (all.right - tally.right) / answered, paceMs: (all.spentMs - tally.spentMs) / answered }
}

const seconds = (ms: number): number => Math.round(ms / 1000)

/** Says what the student may take from a batch: the point with most mistakes, and that it went slower than usual. */
export function lessonsOf(tally: Tally, all: Usual): string[] {
  const [worst] = [...tally.points]
    .filter(([, { wrong }]) => wrong > 0)
    .sort(([, a], [, b]) => b.wrong - a.wrong || a.answered - b.answered)
  const usual = before(tally, all)
  const paceMs = tally.spentMs / tally.answered
  return [
    worst && `最薄弱的知识点：${worst[0]}（${worst[1].answered} 题错 ${worst[1].wrong} 题）`,
    usual &&
      paceMs > Math.max(usual.paceMs * SLOWER, usual.paceMs + SLOWER_MS) &&
      `每题 ${seconds(paceMs)} 秒，比平时慢 ${seconds(paceMs - usual.paceMs)} 秒`,
  ].filter((line) => typeof line === 'string')
}

/** A line of praise for what was done well, which is true; the student knows what was not. */
export function praiseOf(tally: Tally, all: Usual, from: Source): string {
  const { answered, right, run } = tally
  if (answered === 0) return ''
  const usual = before(tally, all)
  const better = usual ? right / answered - usual.share : 0
  if (right === answered) return answered > 1 ? `${answered} 题全对，漂亮！` : '答对了，漂亮！'
  if (from === 'error' && right > 0) return `有 ${right} 道错题这次答对了，进步看得见。`
  if (run >= RUN) return `连续答对 ${run} 题，状态不错。`
  if (better >= BETTER) return `正确率比平时高 ${Math.round(better * 100)} 个百分点。`
  if (usual && better >= 0 && tally.spentMs / answered < usual.paceMs * QUICKER) return '比平时快，正确率也没有掉。'
  return right > 0 ? `答对 ${right} 题，错的弄懂就是收获。` : `${answered} 道题找到了要补的地方，弄懂就是收获。`
}

/** Says what comes back for review, and when. */
export function dueText(due: ReadonlyMap<number, number>, today: number): string {
  const now = [...due].reduce((sum, [day, count]) => (day <= today ? sum + count : sum), 0)
  const tomorrow = due.get(today + 1) ?? 0
  if (now > 0) return `今天还有 ${now} 道题到期复习`
  return tomorrow > 0 ? `明天有 ${tomorrow} 道题到期复习` : ''
}
