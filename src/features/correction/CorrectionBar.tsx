import { useState } from 'react'
import type { Question } from '#src/contract/question.ts'
import type { StudyState } from '#src/contract/study.ts'
import { partsOf } from '#src/domain/study.ts'
import { plainText, shortened } from '#src/domain/text.ts'
import { Dialog } from '#src/ui/Dialog.tsx'
import { dateText } from '#src/ui/dates.ts'
import { type Corrected, markSeen, useCorrected } from './news.ts'
import { NewsBar } from './NewsBar.tsx'
import { QuestionLink, useStates } from './QuestionLink.tsx'
import { useQuestions } from './useQuestions.ts'
import classes from './Correction.module.css'

/** Answers of this student count otherwise since their questions were corrected: told once, on whichever device. */
export function CorrectionBar() {
  const news = useCorrected()
  const [open, setOpen] = useState(false)
  const nos = news?.map(({ questionNo }) => questionNo) ?? []
  const states = useStates(nos)
  const questions = useQuestions(nos)
  const [first] = news ?? []
  if (!news || !first || !states) return null
  const meaning = (each: Corrected) =>
    meaningOf(each, states.get(each.questionNo), questions.get(each.questionNo)?.question)
  const close = () => {
    setOpen(false)
    // A device that cannot keep it tells it again.
    void markSeen(
      'noticesSeen',
      news.map(({ at }) => at),
    ).catch(() => {})
  }
  return (
    <>
      <NewsBar label="答案更正" onOpen={() => setOpen(true)} onClose={close}>
        {news.length} 道做过的题答案已更正
        {news.length === 1 && `：${meaning(first)}`}
      </NewsBar>
      {open && (
        <Dialog title="答案已更正" sheet onClose={close}>
          <ul className={classes.list}>
            {news.map((each) => (
              <li key={each.questionNo}>
                <span>
                  {meaning(each)}
                  <small>{dateText(each.at)} 更正，统计和错题本已随之更新</small>
                </span>
                <QuestionLink questionNo={each.questionNo} home={states.get(each.questionNo)} onLeave={close} />
              </li>
            ))}
          </ul>
        </Dialog>
      )}
    </>
  )
}

/** By their texts: the letters that options stand under on the screen are another batch's, or none. */
function meaningOf({ questionNo, chosen, right }: Corrected, state?: StudyState, home?: Question): string {
  const now = right ? '现在算对' : '现在算错'
  const own = (text: string) => `你之前${state?.type === 'blank' ? '填' : '选'}的“${text}”${now}`
  if (chosen.length > 0 && state?.type === 'blank') return own(chosen.map((text) => text || '（空）').join('；'))
  if (chosen.length > 0 && state?.type === 'judge') return own(chosen[0] === 'A' ? '对' : '错')
  const part = home && partsOf(home).find(({ no }) => no === questionNo)
  const options = part && 'options' in part ? part.options.filter(({ id }) => chosen.includes(id)) : []
  const texts = options.map(({ html }) => shortened(plainText(html), TEXT_MAX))
  // A picture has no words, and a question that is not here has none either.
  return texts.length > 0 && !texts.includes('') ? own(texts.join('；')) : `你之前的作答${now}`
}

const TEXT_MAX = 24
