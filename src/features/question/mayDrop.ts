import { lookOf, isFinished, type PlayerState } from '#src/player/player.ts'
import { feedback } from '#src/ui/feedback.ts'

/** Whether a new batch may take this one's place; asks when something begun in it would be lost. */
export async function mayDrop(state: PlayerState): Promise<boolean> {
  if (isFinished(state) || !isBegun(state)) return true
  const answer = await feedback.ask({
    title: '再来一组',
    message: '这一组还有题没做完，没有确认的作答不会保留。要开始新的一组吗？',
    actions: [
      { key: 'cancel', label: '取消' },
      { key: 'again', label: '开始新的一组', tone: 'primary' },
    ],
  })
  return answer === 'again'
}

export const isBegun = (state: PlayerState): boolean =>
  state.at > 0 || state.items.some((item) => lookOf(state, item) !== 'untouched')
