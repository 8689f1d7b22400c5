import { clsx } from 'clsx'
import { useSyncExternalStore } from 'react'
import { Button, Spinner } from '../Button.tsx'
import common from '../common.module.css'
import { Dialog } from '../dialog/Dialog.tsx'
import classes from './FeedbackHost.module.css'
import { feedback, type FeedbackState } from './feedback.ts'
import { Toasts } from './Toasts.tsx'

/** Place of what Enter does: the action asked for; where one destroys, the safe one; -1: none. */
function placeOfEnter({ actions, unasked }: NonNullable<FeedbackState['question']>): number {
  if (unasked) return -1
  return actions.some(({ tone }) => tone === 'danger') ? 0 : actions.findIndex(({ tone }) => tone === 'primary')
}

/** Shows what feedback.ts holds: the loading sheet, notices, one question at a time. */
export function FeedbackHost() {
  const { loading, question } = useSyncExternalStore(feedback.subscribe, feedback.get)
  return (
    <>
      {loading > 0 && (
        <div className={clsx(common.row, classes.loading)} role="status">
          <Spinner />
          正在努力加载
        </div>
      )}
      <Toasts />
      {question && (
        <Dialog key={question.id} title={question.title} width={400} onClose={() => question.answer(null)}>
          <p className={classes.message}>{question.message}</p>
          <div className={clsx(common.wrap, classes.actions)}>
            {question.actions.map(({ key, label, tone = 'plain' }, i) => (
              <Button
                key={key}
                data-autofocus={placeOfEnter(question) === i || undefined}
                tone={tone}
                look={tone === 'plain' ? 'light' : 'filled'}
                onClick={() => question.answer(key)}
              >
                {label}
              </Button>
            ))}
          </div>
        </Dialog>
      )}
    </>
  )
}
