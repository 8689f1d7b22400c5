import { clsx } from 'clsx'
import { unkeptWords } from '#src/domain/app/failureWords.ts'
import { useEffect, useState } from 'react'
import type { PlainQuestion } from '#src/contract/question.ts'
import type { OpPayload } from '#src/contract/study.ts'
import { REPORT_REASONS } from '#src/contract/sync.ts'
import { type TypedReport, typedReport } from '#src/offline/drafts/player.ts'
import { offline } from '#src/offline/index.ts'
import { useThings } from '#src/offline/useThings.ts'
import { Button } from '#src/ui/Button.tsx'
import common from '#src/ui/common.module.css'
import { Dialog } from '#src/ui/dialog/Dialog.tsx'
import { dateText } from '#src/ui/dates.ts'
import field from '#src/ui/Field.module.css'
import { REASON_NAMES, REPORT_MAX, STATUS_NAMES } from './reasons.ts'
import classes from './Marks.module.css'

export interface ReportFormProps {
  part: PlainQuestion
  /** Resolves when it is on this device. */
  onSend: (report: OpPayload<'report'>) => Promise<unknown>
  onClose: () => void
}

/** 纠错: what is wrong with a question, in the student's words. Needs no network: it goes up with the answers. */
export function ReportForm({ part, onSend, onClose }: ReportFormProps) {
  const [typed, setTyped] = useTyped(part.no)
  const [failed, setFailed] = useState<{ error: unknown } | null>(null)
  const [busy, setBusy] = useState(false)
  const send = async () => {
    setBusy(true)
    const text = typed.text.trim()
    const report = { questionNo: part.no, version: part.version ?? 1, reason: typed.reason, text }
    const failure = await onSend(report).then(
      () => null,
      (error: unknown) => ({ error }),
    )
    setBusy(false)
    setFailed(failure)
    if (failure) return
    await offline.dropDraft(typedReport.key(part.no)).catch(() => {})
    onClose()
  }
  // 其他 says nothing by itself.
  const empty = typed.reason === 'other' && typed.text.trim() === ''
  return (
    <Dialog title="纠错" sheet onClose={onClose}>
      <Earlier questionNo={part.no} />
      <form
        className={common.stack}
        onSubmit={(event) => {
          event.preventDefault()
          void send()
        }}
      >
        <fieldset className={common.wrap}>
          <legend className={clsx(common.strong, classes.legend)}>哪里有问题</legend>
          {REPORT_REASONS.map((reason) => (
            <label key={reason} className={clsx(common.row, common.sunken, classes.reason)}>
              <input
                type="radio"
                name="reason"
                checked={typed.reason === reason}
                onChange={() => setTyped({ ...typed, reason })}
              />
              {REASON_NAMES[reason]}
            </label>
          ))}
        </fieldset>
        <label className={field.field}>
          <span className={common.strong}>说明{typed.reason === 'other' ? '' : '（可不填）'}</span>
          <textarea
            className={clsx(field.input, field.area)}
            rows={4}
            maxLength={REPORT_MAX}
            value={typed.text}
            placeholder="写下你认为正确的内容和依据，便于核对"
            onChange={(event) => setTyped({ ...typed, text: event.currentTarget.value })}
          />
        </label>
        <p className={clsx(common.caption, classes.count)}>
          {typed.text.length}/{REPORT_MAX}
        </p>
        {failed && (
          <p role="alert" className={common.wrong}>
            未保存：{unkeptWords(failed.error, '内容还在这里')}。
          </p>
        )}
        <Button type="submit" busy={busy} disabled={empty}>
          提交
        </Button>
      </form>
    </Dialog>
  )
}

const REPLY = clsx(common.quiet, classes.reply)

/** What this student has reported of the question before, and what became of it. */
function Earlier({ questionNo }: { questionNo: string }) {
  const earlier = [...(useThings('report') ?? [])].filter(([, each]) => each.questionNo === questionNo)
  if (earlier.length === 0) return null
  return (
    <ul className={clsx(common.stack, classes.list)} aria-label="已提交的纠错">
      {earlier.map(([id, { at, reason, text, status, reply }]) => (
        <li key={id} className={clsx(common.sunken, common.small, classes.box)}>
          {dateText(at)} 已提交“{REASON_NAMES[reason]}”：<b>{STATUS_NAMES[status]}</b>
          {text && <p className={REPLY}>{text}</p>}
          {reply && <p className={REPLY}>回复：{reply}</p>}
        </li>
      ))}
    </ul>
  )
}

function useTyped(no: string): [TypedReport, (typed: TypedReport) => void] {
  const [typed, setTyped] = useState<TypedReport | null>(null)
  useEffect(() => {
    void offline.loadDraft(typedReport.key(no)).then(
      (saved) => {
        const read = typedReport.read(saved)
        // Who types faster than the disk reads is not overwritten.
        if (read) setTyped((now) => now ?? read)
      },
      () => {},
    )
  }, [no])
  const change = (now: TypedReport) => {
    setTyped(now)
    void offline.saveDraft({ key: typedReport.key(no), value: now }).catch(() => {})
  }
  return [typed ?? { reason: 'answer', text: '' }, change]
}
