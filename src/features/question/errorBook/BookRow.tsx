import { clsx } from 'clsx'
import { useState } from 'react'
import { TYPE_NAMES } from '#src/contract/question.ts'
import { typeName } from '#src/domain/question/typeName.ts'
import { CAUSES } from '#src/contract/sync.ts'
import { CAUSE_NAMES, isOpen, isStubborn } from '#src/domain/study/errorBook.ts'
import { holdGaps } from '#src/domain/text/gaps.ts'
import { plainText } from '#src/domain/text/plainText.ts'
import { shortened } from '#src/domain/text/text.ts'
import { backAsIn, putBack, setCause, takeOut } from '#src/player/marks/bookActs.ts'
import { placeText } from '#src/player/marks/BookPart.tsx'
import { History } from '#src/player/marks/History.tsx'
import { Button } from '#src/ui/Button.tsx'
import common from '#src/ui/common.module.css'
import { Select } from '#src/ui/Select.tsx'
import type { Act } from '#src/ui/feedback/writing.tsx'
import classes from './Book.module.css'
import { type Entry, isRetired } from './entries.ts'
import { Whole } from './Whole.tsx'

interface BookRowProps {
  entry: Entry
  rule: number
  onAct: (act: Act) => void
}

const WARNING = clsx(common.warm, common.strong, classes.tag, classes.warning)

/** One question of the book: what it is, how the student stands with it, and what can be done. */
export function BookRow({ entry, rule, onAct }: BookRowProps) {
  const { state, located, part } = entry
  const [open, setOpen] = useState(false)
  const stem = part ? shortened(holdGaps(plainText(part.stem)), 120) : '题目还没有下载，联网后可看'
  const material = located?.question.type === 'composite' ? located.question : null
  return (
    <li className={clsx(common.stack, classes.row)}>
      <p className={clsx(common.wrap, common.note, classes.facts)}>
        <span className={clsx(common.accent, common.strong, classes.tag)}>
          {part ? typeName(part, material) : TYPE_NAMES[state.type]}
        </span>
        {isRetired(entry) && <span className={WARNING}>已下架</span>}
        {isStubborn(state, rule) && <span className={WARNING}>顽固题</span>}
        <span>错 {state.wrong} 次</span>
        <span>{placeText(state, rule)}</span>
      </p>
      {part ? (
        <details className={classes.stem} onToggle={(event) => setOpen(event.currentTarget.open)}>
          <summary className={classes.opener}>{stem || '（图片题）'}</summary>
          {open && <Whole part={part} material={material} answers />}
        </details>
      ) : (
        <p className={classes.stem}>{stem}</p>
      )}
      <History part={part} state={state} />
      <Acts state={state} rule={rule} onAct={onAct} stem={shortened(stem, 20)} />
    </li>
  )
}

function Acts({ state, rule, onAct, stem }: { state: Entry['state']; stem: string } & Omit<BookRowProps, 'entry'>) {
  const isIn = isOpen(state, rule)
  const cause = state.cause ?? ''
  const act = () =>
    isIn
      ? onAct({ text: '已移出错题本', act: () => takeOut(state), undo: () => backAsIn(state) })
      : onAct({ text: '已移回错题本', act: () => putBack(state, rule), undo: () => backAsIn(state) })
  return (
    <div className={common.between}>
      <label className={clsx(common.row, common.quiet, classes.cause)}>
        错因
        <Select
          value={cause}
          aria-label={`错因：${stem}`}
          onChange={(event) => {
            const next = CAUSES.find((each) => each === event.target.value) ?? ''
            onAct({
              text: next === '' ? '已清除错因' : `已标记为${CAUSE_NAMES[next]}`,
              act: () => setCause(state, next),
              undo: () => setCause(state, cause),
            })
          }}
        >
          <option value="">未标记</option>
          {CAUSES.map((each) => (
            <option key={each} value={each}>
              {CAUSE_NAMES[each]}
            </option>
          ))}
        </Select>
      </label>
      <Button small look="light" tone="plain" aria-label={`${isIn ? '移出' : '移回'}：${stem}`} onClick={act}>
        {isIn ? '移出' : '移回'}
      </Button>
    </div>
  )
}
