import { NativeSelect } from '@mantine/core'
import { clsx } from 'clsx'
import { unkeptWords } from '#src/domain/app/failureWords.ts'
import { type FormEvent, useState } from 'react'
import * as v from 'valibot'
import { type OpPayload, SETTINGS } from '#src/contract/study.ts'
import { dateOf, dayOf } from '#src/domain/time/day.ts'
import type { PlanSettings } from '#src/domain/study/plan.ts'
import { serverNow } from '#src/offline/device/serverClock.ts'
import { offline } from '#src/offline/index.ts'
import { focusOn } from '#src/player/useFocus.ts'
import { Button } from '#src/ui/Button.tsx'
import common from '#src/ui/common.module.css'
import { feedback } from '#src/ui/feedback/feedback.ts'
import fields from '#src/ui/Field.module.css'
import { ExpectedDate } from './ExpectedDate.tsx'
import classes from './Stats.module.css'

const { dayGoal, minutesADay, examDate, lapseShare } = SETTINGS
const Plan = v.object({ dayGoal, minutesADay, examDate, lapseShare })
const SHARES = lapseShare.options.map((share) => ({
  value: String(share),
  label: share === 0 ? '关闭' : `占 ${share}%`,
}))

type PlanSetting = Extract<OpPayload<'setting'>, { name: keyof v.InferOutput<typeof Plan> }>

interface PlanFormProps {
  settings: PlanSettings
  /** Begins at the exam date. */
  toDate?: boolean
}

/** 每日目标, 考试日期, 每天复习, 防遗忘: kept on this device at once, and brought to the others with the rest of the record. */
export function PlanForm({ settings, toDate = false }: PlanFormProps) {
  // What the fields began with: what another device set since is not this student's change.
  const [shown, setShown] = useState(() => ({
    dayGoal: settings.dayGoal,
    minutesADay: settings.minutesADay,
    examDate: settings.examDay === null ? '' : dateOf(settings.examDay),
    lapseShare: settings.lapseShare,
  }))
  const [goal, setGoal] = useState(String(shown.dayGoal))
  const [minutes, setMinutes] = useState(String(shown.minutesADay))
  const [date, setDate] = useState(shown.examDate)
  const [share, setShare] = useState(String(shown.lapseShare))
  const [fault, setFault] = useState(false)
  const keep = async (changed: PlanSetting[], plan: typeof shown) => {
    try {
      await offline.addAll(changed.map((payload) => ({ kind: 'setting', payload })))
      setShown(plan)
      feedback.toast('学习计划已保存')
    } catch (error) {
      feedback.toast(`未保存：${unkeptWords(error)}`)
    }
  }
  const save = async (event: FormEvent) => {
    event.preventDefault()
    const typed = v.safeParse(Plan, {
      dayGoal: Number(goal),
      minutesADay: Number(minutes),
      examDate: date,
      lapseShare: Number(share),
    })
    setFault(!typed.success)
    if (!typed.success) return
    const plan = typed.output
    const all: PlanSetting[] = [
      { name: 'dayGoal', value: plan.dayGoal },
      { name: 'minutesADay', value: plan.minutesADay },
      { name: 'examDate', value: plan.examDate },
      { name: 'lapseShare', value: plan.lapseShare },
    ]
    await keep(
      all.filter(({ name, value }) => shown[name] !== value),
      plan,
    )
  }
  /** The date alone: what else is typed and not saved stays so. */
  const take = async (day: string) => {
    setDate(day)
    await keep([{ name: 'examDate', value: day }], { ...shown, examDate: day })
  }
  return (
    <form
      className={clsx(common.stack, classes.fitted, classes.plan)}
      onSubmit={(event) => void save(event)}
      noValidate
    >
      <label className={fields.field}>
        <span className={common.strong}>每日目标（题）</span>
        <input
          type="number"
          className={fields.input}
          inputMode="numeric"
          value={goal}
          onChange={(event) => setGoal(event.target.value)}
        />
      </label>
      <label className={fields.field}>
        <span className={common.strong}>每天复习（分钟）</span>
        <input
          type="number"
          className={fields.input}
          inputMode="numeric"
          value={minutes}
          onChange={(event) => setMinutes(event.target.value)}
        />
      </label>
      <label className={fields.field}>
        <span className={common.strong}>考试日期</span>
        <input
          ref={toDate ? focusOn : undefined}
          type="date"
          className={fields.input}
          value={date}
          onChange={(event) => setDate(event.target.value)}
        />
      </label>
      {date === '' && <ExpectedDate today={dayOf(serverNow())} onTake={(day) => void take(day)} />}
      <NativeSelect
        size="md"
        label="防遗忘"
        data={SHARES}
        value={share}
        onChange={(event) => setShare(event.currentTarget.value)}
      />
      <Button type="submit" look="light">
        保存计划
      </Button>
      <p className={clsx(common.note, classes.fault)}>
        防遗忘：一直做对的题，隔久了也会忘。打开后，每天的复习会按这个比例留出时间，挑最可能忘的再做一遍；关闭时只复习错题。
      </p>
      {fault && (
        <p role="alert" className={clsx(common.small, common.wrong, classes.fault)}>
          每日目标填 1–1000 题，每天复习填 5–600 分钟，考试日期选一天或留空。
        </p>
      )}
    </form>
  )
}
