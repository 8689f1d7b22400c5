import { IconX } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { clsx } from 'clsx'
import { type ReactNode, useCallback, useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { offline } from '#src/offline/index.ts'
import type { PlayerState } from '#src/player/playerState.ts'
import { focusOn } from '#src/player/useFocus.ts'
import { useLastView } from '#src/session/lastView.ts'
import { session } from '#src/session/session.ts'
import outcome from '#src/sitting/Outcome.module.css'
import { Button, buttonLook } from '#src/ui/Button.tsx'
import common from '#src/ui/common.module.css'
import { ErrorCard } from '#src/ui/ErrorCard.tsx'
import { feedback } from '#src/ui/feedback/feedback.ts'
import { IconButton } from '#src/ui/IconButton.tsx'
import { Batch } from '../practice/Batch.tsx'
import type { BatchPart } from '../practice/batchPart.ts'
import { type Dealt, dealList, openList, type StudyList } from './listStudy.ts'
import { StudySkeleton } from '../parts/StudySkeleton.tsx'
import classes from '../practice/StudyPage.module.css'
import { Drawing } from '#src/ui/Empty.tsx'

interface ListStudyPageProps {
  /** The same object as long as it is the same list. */
  list: StudyList
  title: string
  /** What to say, and do, when there is nothing to study. */
  empty: { title: string; text: string }
  onLeave: () => void
  /** Where that leads, when it is not where the list is. */
  wayBack?: string
  /** The mark of syncing. */
  mark?: ReactNode
}
type Stage =
  | { at: 'loading' }
  | { at: 'failed'; error: unknown }
  | { at: 'none'; missing: number }
  | {
      at: 'studying'
      state: PlayerState
      batch: number
      lapses: ReadonlySet<string> | undefined
      parts: readonly BatchPart[] | undefined
    }

/** Single questions are fetched for students alone. */
const howToGet = (): string => (session.loggedIn() ? '联网后' : '联网打开它们的章节后')

/** 错题、收藏、笔记练习: a batch from a list of the student's own. */
export function ListStudyPage({ list, title, empty, onLeave, wayBack, mark }: ListStudyPageProps) {
  const [stage, setStage] = useState<Stage>({ at: 'loading' })
  const show = useCallback(
    (dealing: Promise<Dealt>) => {
      const lapsesOf = dealing.then(() => list.lapses?.()).catch(() => undefined)
      const partsOf = dealing.then(() => list.parts?.())
      Promise.all([dealing, lapsesOf, partsOf]).then(
        ([{ state, missing }, lapses, parts]) => {
          const away = parts?.filter((part) => part.away).map(({ name }) => name) ?? []
          if (state && missing > 0) feedback.toast(`${missing} 道题还没有下载，${howToGet()}可做`)
          else if (state && away.length > 0) feedback.toast(`${away.join('、')}有题还没有下载，联网后可做`)
          setStage(state ? { at: 'studying', state, batch: Date.now(), lapses, parts } : { at: 'none', missing })
        },
        (error: unknown) => setStage({ at: 'failed', error }),
      )
    },
    [list],
  )
  const open = useCallback(() => show(openList(list)), [list, show])
  useEffect(open, [open])
  useLastView(false)
  const anew = (dealing: Promise<Dealt>) => {
    setStage({ at: 'loading' })
    show(dealing)
  }
  const reopen = () => anew(openList(list))
  const again = () => anew(dealList({ ...list, startAt: undefined }))
  const renew = () => {
    // Gone from the screen first: what leaves the screen is saved once more.
    flushSync(() => setStage({ at: 'loading' }))
    void offline.dropDraft(list.draft).then(again, again)
  }
  if (stage.at === 'loading') return <StudySkeleton />
  if (stage.at === 'failed') return <ErrorCard error={stage.error} onRetry={reopen} onLeave={onLeave} />
  if (stage.at === 'none') return <Nothing {...stage} empty={empty} onRetry={reopen} onLeave={onLeave} />
  return (
    <Batch
      key={stage.batch}
      initial={stage.state}
      draft={list.draft}
      from={list.from}
      title={title}
      mark={<span className={classes.mark}>{mark}</span>}
      close={
        <IconButton aria-label="退出练习" onClick={onLeave}>
          <IconX size={22} />
        </IconButton>
      }
      lapses={stage.lapses}
      parts={stage.parts}
      setup={list.recite || list.practised ? undefined : { no: null, ordered: list.ordered, onNew: renew }}
      onDone={list.onDone}
      onAgain={again}
      onLeave={onLeave}
      wayBack={wayBack}
      onStale={reopen}
    />
  )
}

interface NothingProps extends Pick<ListStudyPageProps, 'empty' | 'onLeave'> {
  /** Questions that are not on this device. */
  missing: number
  onRetry: () => void
}

/** Nothing to study now: why, and what to do. */
function Nothing({ missing, empty, onRetry, onLeave }: NothingProps) {
  return (
    <section className={clsx(common.stack, outcome.outcome)}>
      <Drawing of={missing > 0 ? 'away' : 'paper'} />
      <h1 ref={focusOn} tabIndex={-1} className={clsx(common.title, outcome.heading)}>
        {missing > 0 ? '题目还没有下载' : empty.title}
      </h1>
      <p className={clsx(common.quiet, outcome.why)}>
        {missing > 0 ? `这 ${missing} 道题还没有下载，${howToGet()}再试。` : empty.text}
      </p>
      {missing > 0 ? (
        <Button onClick={onRetry}>重试</Button>
      ) : (
        <Link to="/question/library" {...buttonLook()}>
          去章节练习
        </Link>
      )}
      <Button look="quiet" tone="plain" onClick={onLeave}>
        返回
      </Button>
    </section>
  )
}
