import { useState } from 'react'
import type { StudyState } from '#src/contract/study.ts'
import { Button } from '#src/ui/Button.tsx'
import { Dialog } from '#src/ui/Dialog.tsx'
import { dateText } from '#src/ui/dates.ts'
import { type Corrected, markSeen, useCorrected } from './news.ts'
import { QuestionLink, useStates } from './QuestionLink.tsx'
import classes from './Correction.module.css'

/** Answers of this student count otherwise since their questions were corrected: told once, on whichever device. */
export function CorrectionBar() {
  const news = useCorrected()
  const [open, setOpen] = useState(false)
  const states = useStates(news?.map(({ questionNo }) => questionNo) ?? [])
  const [first] = news ?? []
  if (!news || !first || !states) return null
  const close = () => {
    setOpen(false)
    // A device that cannot keep it tells it again.
    void markSeen(
      'noticesSeen',
      news.map(({ at }) => at),
    ).catch(() => {})
  }
  return (
    <aside className={classes.bar} aria-label="答案更正">
      <p>
        {news.length} 道做过的题答案已更正
        {news.length === 1 && `：${meaning(first, states.get(first.questionNo))}`}
      </p>
      <Button small onClick={() => setOpen(true)}>
        查看
      </Button>
      <Button small look="quiet" onClick={close}>
        知道了
      </Button>
      {open && (
        <Dialog title="答案已更正" sheet onClose={close}>
          <ul className={classes.list}>
            {news.map((each) => (
              <li key={each.questionNo}>
                <span>
                  {meaning(each, states.get(each.questionNo))}
                  <small>{dateText(each.at)} 更正，统计和错题本已随之更新</small>
                </span>
                <QuestionLink questionNo={each.questionNo} state={states.get(each.questionNo)} onLeave={close} />
              </li>
            ))}
          </ul>
        </Dialog>
      )}
    </aside>
  )
}

/** Ids of options are the letters under which the bank has them. */
function meaning({ chosen, right }: Corrected, state: StudyState | undefined): string {
  const now = right ? '现在算对' : '现在算错'
  if (chosen.length === 0) return `你之前的作答${now}`
  if (state?.type === 'blank') return `你之前填的“${chosen.map((text) => text || '（空）').join('；')}”${now}`
  const picked = state?.type === 'judge' ? (chosen[0] === 'A' ? '对' : '错') : [...chosen].sort().join('')
  return `你之前选的 ${picked} ${now}`
}
