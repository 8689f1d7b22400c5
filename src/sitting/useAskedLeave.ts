import { useBlocker } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { feedback } from '#src/ui/feedback/feedback.ts'
import { onPage } from '#src/ui/dialog/sheetHistory.ts'
import { useBackCloses } from '#src/ui/dialog/useBackCloses.ts'

/** Whether the student means it. */
const ask = async (): Promise<boolean> =>
  (await feedback.ask({
    title: '离开考试',
    message: '计时不会停，确定离开？已答的都已保存，到时间会自动交卷。',
    actions: [
      { key: 'stay', label: '继续考试' },
      { key: 'leave', label: '离开', tone: 'danger' },
    ],
  })) === 'leave'

/**
 * Asks before a sitting is left whose clock runs on: by its own way out, which is returned, by history back and by a link.
 * @param running its clock does. @param end where the address leads, in front, once it is handed in: there nobody is asked. Null: it stays.
 */
export function useAskedLeave(running: boolean, leave: () => void, end: string | null): () => void {
  const [leaving, setLeaving] = useState(false)
  // Read by the router in the same moment.
  const isAnswered = useRef(false)
  const asking = running && !leaving
  const mayLeave = async (): Promise<boolean> => {
    if (!(await ask())) return false
    isAnswered.current = true
    setLeaving(true)
    await onPage()
    return true
  }
  const askedLeave = () => {
    if (!asking) return leave()
    void mayLeave().then((may) => may && leave())
  }
  useBackCloses(askedLeave, asking)
  useBlocker({
    disabled: !asking,
    // What is written down is not lost with the page; and history back is asked about above.
    enableBeforeUnload: false,
    shouldBlockFn: async ({ action, next }) =>
      (action === 'PUSH' || action === 'REPLACE') &&
      !isAnswered.current &&
      !(end !== null && next.pathname.startsWith(end)) &&
      !(await mayLeave()),
  })
  return askedLeave
}
