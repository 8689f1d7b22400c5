import { IconCloudX, IconCloudCheck, IconCloudDownload } from '@tabler/icons-react'
import { clsx } from 'clsx'
import { useEffect } from 'react'
import type { Library } from '#src/contract/question.ts'
import { usePack } from '#src/offline/usePacks.ts'
import { Button } from '#src/ui/Button.tsx'
import common from '#src/ui/common.module.css'
import { ProgressLine } from '#src/ui/feedback/ProgressLine.tsx'
import unseen from '#src/ui/text/Unseen.module.css'
import { chaptersHere } from '../here.ts'
import { ACTS, act, followPacks, packView, spoken } from './packView.ts'
import classes from './PackBar.module.css'

interface PackBarProps {
  library: Library
  /** Told which leaf chapters are whole on this device, again after each download. */
  onHere: (chapters: ReadonlySet<string>) => void
}

/** 离线包 of one library: what it takes, how far it has come, and what can be done with it. */
export function PackBar({ library, onHere }: PackBarProps) {
  const { known, row, activity } = usePack(library.no)
  useEffect(followPacks, [])
  const version = known ? (row?.rev ?? '') : null
  useEffect(() => {
    if (version !== null) void chaptersHere(library).then(onHere, () => {})
  }, [library, onHere, version])
  if (!known || (!library.pack && !row)) return null
  const view = packView(library, row, activity)
  const Icon = view.alarm ? IconCloudX : row?.ready && !activity ? IconCloudCheck : IconCloudDownload
  return (
    <div className={clsx(common.row, classes.bar)}>
      <Icon className={clsx(common.fixed, view.alarm ? common.wrong : common.accent)} size={20} aria-hidden="true" />
      <div className={clsx(common.column, common.grow, common.figures, classes.says)}>
        <span>{view.text}</span>
        <small className={common.caption}>{view.note}</small>
      </div>
      <div className={clsx(common.row, common.fixed, classes.acts)}>
        {view.acts.map((each, i) => (
          <Button
            key={each}
            small
            look={i === 0 && each !== 'remove' ? 'light' : 'quiet'}
            tone={each === 'cancel' || each === 'remove' ? 'plain' : 'primary'}
            aria-label={`${ACTS[each]} ${library.title}`}
            onClick={() => act(library, each)}
          >
            {ACTS[each]}
          </Button>
        ))}
      </div>
      {activity && view.part !== null && (
        <ProgressLine className={classes.progress} part={view.part} label={`${library.title} 下载进度`} />
      )}
      <p className={unseen.unseen} role="status">
        {spoken(view.text, view.part, activity?.at)}
      </p>
    </div>
  )
}
