import { IconCloudCheck, IconCloudDownload, IconCloudX } from '@tabler/icons-react'
import { clsx } from 'clsx'
import { type ReactNode, useEffect } from 'react'
import type { Library } from '#src/contract/question.ts'
import { usePacks } from '#src/offline/usePacks.ts'
import { Button } from '#src/ui/Button.tsx'
import common from '#src/ui/common.module.css'
import { ProgressLine } from '#src/ui/feedback/ProgressLine.tsx'
import unseen from '#src/ui/text/Unseen.module.css'
import { actOnAll, ALL_ACTS, allView } from './allView.ts'
import classes from './DownloadAll.module.css'
import { followPacks, spoken } from './packView.ts'

interface DownloadAllProps {
  libraries: readonly Library[]
  /** Called once all of it has been put down. */
  onBegun?: () => void
  /** They stand before its own buttons: what else can be done here. */
  children?: ReactNode
}

/** 下载全部: what all libraries of the direction take, how far they have come, and what can be done with them. */
export function DownloadAll({ libraries, onBegun, children }: DownloadAllProps) {
  const state = usePacks()
  useEffect(followPacks, [])
  if (!state.rows) return null
  const { text, note, part, alarm, at, acts } = allView(libraries, state)
  const Icon = alarm ? IconCloudX : acts.length === 0 ? IconCloudCheck : IconCloudDownload
  return (
    <section className={clsx(common.card, common.wrap, classes.all)} aria-label="下载全部题库">
      <div className={clsx(common.row, classes.told)}>
        <Icon className={clsx(common.fixed, alarm ? common.wrong : common.accent)} size={24} aria-hidden="true" />
        <div className={clsx(common.column, common.grow, common.figures, classes.says)}>
          <span className={common.strong}>{text}</span>
          <small className={common.caption}>{note}</small>
        </div>
      </div>
      <div className={clsx(common.row, common.end)}>
        {children}
        {acts.map((each) => (
          <Button
            key={each}
            small
            look={each === 'pause' ? 'quiet' : 'light'}
            aria-label={ALL_ACTS[each][1]}
            onClick={() => void actOnAll(libraries, each).then((begun) => begun && onBegun?.())}
          >
            {ALL_ACTS[each][0]}
          </Button>
        ))}
      </div>
      {part !== null && <ProgressLine className={classes.progress} part={part} label="全部题库下载进度" />}
      <p className={unseen.unseen} role="status">
        {spoken(text, part, at)}
      </p>
    </section>
  )
}
