import { MODE_NAMES, type StudyMode } from '#src/player/modes.ts'
import classes from './Choice.module.css'

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

/** How to do a paper, with what it means. */
export function ModePicker<M extends StudyMode>({ modes, mode, onMode }: ModePickerProps<M>) {
  return (
    <fieldset className={classes.modes}>
      <legend>练习方式</legend>
      {modes.map((each) => (
        <label key={each}>
          <input type="radio" name="mode" checked={each === mode} onChange={() => onMode(each)} />
          <b>{MODE_NAMES[each]}</b>
          <span>{ABOUT[each]}</span>
        </label>
      ))}
    </fieldset>
  )
}
