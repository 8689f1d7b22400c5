import { IconChevronDown, IconChevronUp } from '@tabler/icons-react'
import { clsx } from 'clsx'
import type { KeyboardEvent } from 'react'
import common from '#src/ui/common.module.css'
import { IconButton } from '#src/ui/IconButton.tsx'
import { SearchField } from '#src/ui/SearchField.tsx'
import unseen from '#src/ui/text/Unseen.module.css'
import type { Finding } from '../useFinding.ts'
import classes from './Transcript.module.css'

const STEPS: Readonly<Record<string, 1 | -1>> = { ArrowDown: 1, ArrowUp: -1 }

/** A field above a transcript. Enter and arrows go from one found line to the next, Shift+Enter back, Escape ends it. */
export function TranscriptSearch({ finding, line }: { finding: Finding; line: string }) {
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    // Keys belong to the input method while it composes.
    if (event.nativeEvent.isComposing) return
    const step = event.key === 'Enter' ? (event.shiftKey ? -1 : 1) : STEPS[event.key]
    if (step !== undefined) finding.step(step)
    else if (event.key === 'Escape' && finding.asked) {
      event.currentTarget.value = ''
      finding.ask('')
    } else return
    event.preventDefault()
  }
  const some = finding.count > 0
  return (
    <div className={clsx(common.wrap, classes.search)} role="search">
      <SearchField aria-label="在文稿里查找" placeholder="查找讲过的话" onWords={finding.ask} onKeyDown={onKeyDown} />
      <IconButton aria-label="上一处" disabled={!some} onClick={() => finding.step(-1)}>
        <IconChevronUp size={22} />
      </IconButton>
      <IconButton aria-label="下一处" disabled={!some} onClick={() => finding.step(1)}>
        <IconChevronDown size={22} />
      </IconButton>
      <p className={clsx(common.caption, classes.count)} role="status">
        {some && `第 ${finding.at + 1} 处，共 ${finding.count} 处`}
        {some && <span className={unseen.unseen}>：{line}</span>}
        {finding.asked && !some && '没有找到，换一个更短的词试试'}
      </p>
    </div>
  )
}
