import { clsx } from 'clsx'
import { MODE_NAMES, type StudyMode } from '#src/domain/study/modes.ts'
import common from '#src/ui/common.module.css'
import classes from './Choice.module.css'

interface WayPickerProps<W extends string> {
  legend: string
  ways: readonly (readonly [way: W, name: string, about: string])[]
  way: W
  onWay: (way: W) => void
}

/** How to do a paper, with what it means. */
export function WayPicker<W extends string>({ legend, ways, way, onWay }: WayPickerProps<W>) {
  return (
    <fieldset className={clsx(common.stack, classes.modes)}>
      <legend className={clsx(common.strong, classes.legend)}>{legend}</legend>
      {ways.map(([each, name, about]) => (
        <label key={each} className={clsx(common.wrap, classes.mode)}>
          <input type="radio" name="way" checked={each === way} onChange={() => onWay(each)} />
          <b>{name}</b>
          <span className={common.note}>{about}</span>
        </label>
      ))}
    </fieldset>
  )
}

const ABOUT: Record<StudyMode, string> = {
  practice: '每题答完就看对错与解析',
  exam: '像考试一样，交卷前都能改',
  recite: '直接看答案与解析，不计成绩',
}

interface ModePickerProps<M extends StudyMode> {
  modes: readonly M[]
  mode: M
  onMode: (mode: M) => void
}

/** The same of sets and testings. */
export const ModePicker = <M extends StudyMode>({ modes, mode, onMode }: ModePickerProps<M>) => (
  <WayPicker
    legend="练习方式"
    ways={modes.map((each) => [each, MODE_NAMES[each], ABOUT[each]] as const)}
    way={mode}
    onWay={onMode}
  />
)
