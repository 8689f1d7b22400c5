import { isFinal } from '#src/domain/record/handedIn.ts'
import { endedExam, lastExamSitting } from '#src/offline/drafts/exam.ts'
import { offline } from '#src/offline/index.ts'
import { useRecord } from '#src/offline/useRecord.ts'

const idOf = (value: unknown): string =>
  typeof value === 'object' && value !== null && 'id' in value ? String(value.id) : ''

/** This is as much as every page has to know; the screens that show more are loaded for those alone who have a sitting. */
async function anySitting(): Promise<boolean> {
  const [known, begun, ended] = await Promise.all([
    offline.things('exam'),
    offline.drafts(lastExamSitting.prefix),
    offline.drafts(endedExam.prefix),
  ])
  const isOpen = (id: string) => {
    const sitting = known.get(id)
    return !sitting || !isFinal(sitting)
  }
  return ended.length > 0 || begun.some(({ value }) => isOpen(idOf(value)))
}
const isExam = (changed: string): boolean => changed === 'exam'

/** Whether a sitting is open on this device, or was handed in by itself and the student has not read so yet. */
export const useAnySitting = (): boolean => useRecord(anySitting, isExam).data ?? false
