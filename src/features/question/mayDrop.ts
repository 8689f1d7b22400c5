import { isBegun, isFinished, type Mode, type PlayerState } from '#src/player/playerState.ts'
import { feedback } from '#src/ui/feedback/feedback.ts'

/** Whether a new batch may take this one's place; asks when something begun in it would be lost. */
export async function mayDrop(state: PlayerState): Promise<boolean> {
  if (isFinished(state) || !isBegun(state)) return true
  const answer = await feedback.ask({
    title: '再来一组',
    message: `${LOST[state.mode]}要开始新的一组吗？`,
    actions: [
      { key: 'cancel', label: '取消' },
      { key: 'again', label: '开始新的一组', tone: 'primary' },
    ],
  })
  return answer === 'again'
}

const LEFT = '这一组还没有做完，未确认的作答不会保留。'
const LOST: Record<Mode, string> = {
  practice: LEFT,
  recite: LEFT,
  exam: '这一组还没有交卷，已选的答案不会保留。',
  review: '还有主观题没有自评，这几题的作答不会保留。',
}
