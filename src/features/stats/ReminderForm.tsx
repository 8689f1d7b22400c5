import { clsx } from 'clsx'
import { type FormEvent, useEffect, useId, useState } from 'react'
import * as v from 'valibot'
import { SETTINGS } from '#src/contract/study.ts'
import { unkeptWords } from '#src/domain/app/failureWords.ts'
import { isQuiet, minuteOf, type ReminderSettings, reminderSettings } from '#src/domain/study/reminder.ts'
import type { MessageState } from '#src/offline/device/messages.ts'
import { useThings } from '#src/offline/useThings.ts'
import { useSession } from '#src/session/useSession.ts'
import { Button } from '#src/ui/Button.tsx'
import common from '#src/ui/common.module.css'
import { feedback } from '#src/ui/feedback/feedback.ts'
import { TimeField } from '#src/ui/forms/TimeField.tsx'
import { readState, saveReminder, saveToCalendar, turnOff, turnOn } from './reminder.ts'
import classes from './Stats.module.css'

const { reminderAt, reminderQuiet } = SETTINGS

/** 每日提醒: its time and when it is quiet, and the two ways in which it comes. */
export function ReminderForm({ examDay }: { examDay: number | null }) {
  const things = useThings('setting')
  return things && <Fields stored={things} examDay={examDay} />
}

/** Null: it can be kept. */
function faultOf({ at, quiet }: ReminderSettings): string | null {
  const typed = v.safeParse(v.tuple([reminderAt, reminderQuiet]), [at, `${quiet.from}-${quiet.to}`])
  if (!typed.success) return '提醒时间和免打扰的起止时间都要填。'
  if (isQuiet(quiet, minuteOf(at))) return '提醒时间在免打扰时段里，请改一个时间。'
  return null
}

interface FieldsProps {
  stored: NonNullable<ReturnType<typeof useThings<'setting'>>>
  examDay: number | null
}
function Fields({ stored, examDay }: FieldsProps) {
  const settings = reminderSettings(stored)
  // Fields that the student has not touched show what comes from another device.
  const [typed, setTyped] = useState<{ at?: string; from?: string; to?: string }>({})
  const { at, from, to } = { at: settings.at, ...settings.quiet, ...typed }
  const title = useId()
  const wanted = { at, quiet: { from, to } }
  const [fault, setFault] = useState<string | null>(null)
  /** False, and said, when it is no time for a reminder. */
  const check = (): boolean => {
    const found = faultOf(wanted)
    setFault(found)
    return found === null
  }
  /** False, and said, when it cannot be kept. */
  const save = async (): Promise<boolean> => {
    if (!check()) return false
    try {
      await saveReminder(wanted, stored)
      setTyped({})
      return true
    } catch (error) {
      feedback.toast(`未保存：${unkeptWords(error)}`)
      return false
    }
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (await save()) feedback.toast('提醒时间已保存')
  }
  const toCalendar = async () => {
    if (await save()) saveToCalendar(at, examDay, Date.now())
  }
  return (
    <form
      className={clsx(common.stack, classes.fitted, classes.plan, classes.reminder)}
      aria-labelledby={title}
      onSubmit={(event) => void submit(event)}
      noValidate
    >
      <h3 id={title} className={clsx(common.subheading, classes.fault)}>
        每日提醒
      </h3>
      <TimeField label="提醒时间" value={at} onChange={(value) => setTyped({ ...typed, at: value })} />
      <TimeField label="免打扰从" value={from} onChange={(value) => setTyped({ ...typed, from: value })} />
      <TimeField label="免打扰到" value={to} onChange={(value) => setTyped({ ...typed, to: value })} />
      <Button type="submit" look="light">
        保存提醒
      </Button>
      {fault !== null && (
        <p role="alert" className={clsx(common.small, common.wrong, classes.fault)}>
          {fault}
        </p>
      )}
      <div className={clsx(common.stack, classes.fault)}>
        <Button look="light" onClick={() => void toCalendar()}>
          添加到手机日历
        </Button>
        <Push check={check} save={save} />
      </div>
      <p className={clsx(common.note, classes.fault)}>
        日历由手机到点提醒，不用联网；改了时间要重新添加一次。推送每天最多一次，当天任务做完就不再提醒。
      </p>
    </form>
  )
}

const CANNOT = {
  none: '这个浏览器收不到推送。iPhone 请先把本站添加到主屏幕，再从主屏幕打开。',
  denied: '浏览器已禁止本站发通知，要收推送请在浏览器的网站设置里允许。',
}

interface PushProps {
  check: () => boolean
  save: () => Promise<boolean>
}
/** Turns messages on and off, on this device alone. */
function Push({ check, save }: PushProps) {
  const loggedIn = useSession().token !== ''
  const [state, setState] = useState<MessageState | null>(null)
  const [busy, setBusy] = useState(false)
  useEffect(() => {
    if (!loggedIn) return
    let gone = false
    void readState().then(
      (read) => gone || setState(read),
      () => gone || setState('none'),
    )
    return () => {
      gone = true
    }
  }, [loggedIn])
  const change = async (turn: () => Promise<void>) => {
    setBusy(true)
    await turn()
    setState(await readState().catch(() => 'none' as const))
    setBusy(false)
  }
  if (!loggedIn) return <span className={common.note}>登录后可以开启推送。</span>
  if (state === null) return null
  if (state === 'none' || state === 'denied') return <span className={common.note}>{CANNOT[state]}</span>
  return state === 'on' ? (
    <Button look="quiet" busy={busy} onClick={() => void change(turnOff)}>
      关闭这台设备的推送
    </Button>
  ) : (
    <Button look="light" busy={busy} onClick={() => check() && void change(() => turnOn(save))}>
      开启这台设备的推送
    </Button>
  )
}
