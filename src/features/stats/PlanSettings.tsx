import { clsx } from 'clsx'
import { useFigures } from '#src/offline/useFigures.ts'
import common from '#src/ui/common.module.css'
import { PlanForm } from './PlanForm.tsx'
import { ReminderForm } from './ReminderForm.tsx'
import classes from './Stats.module.css'

/** 学习计划 on 我的资料. */
export function PlanSettings() {
  const figures = useFigures()
  return (
    <section className={clsx(common.panel, classes.room)} aria-labelledby="plan">
      <h2 id="plan" className={clsx(common.subheading, classes.anchor)}>
        学习计划
      </h2>
      <p className={common.note}>可离线修改，联网后同步到其他设备。</p>
      {figures && <PlanForm settings={figures.settings} />}
      {figures && <ReminderForm examDay={figures.settings.examDay} />}
    </section>
  )
}
