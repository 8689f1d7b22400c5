import { IconX } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useCallback, useEffect, useState } from 'react'
import { offline } from '#src/offline/index.ts'
import { firstUndone, isFinished, type PlayerState } from '#src/player/player.ts'
import { Player } from '#src/player/Player.tsx'
import { focusOn } from '#src/player/useFocus.ts'
import { usePlayer } from '#src/player/usePlayer.ts'
import { useLastView } from '#src/session/lastView.ts'
import { ErrorCard } from '#src/ui/ErrorCard.tsx'
import { feedback } from '#src/ui/feedback.ts'
import { Button } from '#src/ui/Button.tsx'
import { IconButton } from '#src/ui/IconButton.tsx'
import { draftKey, newBatch, openBatch, openFound, type Pick, startRound } from './batch.ts'
import { StudySkeleton } from './parts/StudySkeleton.tsx'
import classes from './StudyPage.module.css'

const loadSummary = () => import('./parts/BatchSummary.tsx')
const BatchSummary = lazy(() => loadSummary().then((module) => ({ default: module.BatchSummary })))

interface StudyPageProps {
  /** A chapter at any level, or a library. */
  no: string
  /** Questions in a batch. */
  size: number
  title: string
  /** This question alone, of this block of the chapter where that is known. The batch that was left stays. */
  found?: string | undefined
  block?: number | undefined
  onLeave: () => void
  /** The mark of syncing. */
  mark?: ReactNode
}
type Stage =
  | { at: 'loading' }
  | { at: 'failed'; error: unknown }
  | { at: 'done' }
  | { at: 'studying'; state: PlayerState; batch: number }

/** 章节练习: resumes the batch that was left, or deals the next undone questions. */
export function StudyPage({ no, size, title, found, block, onLeave, mark }: StudyPageProps) {
  const client = useQueryClient()
  const [stage, setStage] = useState<Stage>({ at: 'loading' })
  const show = useCallback((loading: Promise<PlayerState | null>) => {
    loading.then(
      (state) => setStage(state ? { at: 'studying', state, batch: Date.now() } : { at: 'done' }),
      (error: unknown) => setStage({ at: 'failed', error }),
    )
  }, [])
  const open = useCallback(
    () => show(found ? openFound(client, no, block, found) : openBatch(client, no, size)),
    [client, no, size, found, block, show],
  )
  useEffect(open, [open])
  useLastView(!found && (stage.at === 'loading' || stage.at === 'studying') ? null : false)
  const deal = (pick: Pick) => {
    setStage({ at: 'loading' })
    const dealt = newBatch(client, no, size, pick)
    show(dealt)
    if (pick === 'wrong')
      void dealt.then(
        (state) => state ?? feedback.toast('没有上次做错的题'),
        () => {},
      )
  }
  const retry = () => {
    setStage({ at: 'loading' })
    open()
  }
  const close = (
    <IconButton aria-label="退出练习" onClick={onLeave}>
      <IconX size={22} />
    </IconButton>
  )

  if (stage.at === 'loading') return <StudySkeleton title={title} />
  if (stage.at === 'failed') return <ErrorCard error={stage.error} onRetry={retry} onLeave={onLeave} />
  if (stage.at === 'done')
    return (
      <Done
        onWrong={() => deal('wrong')}
        onRound={() => void startRound(no, Date.now()).then(() => deal('undone'))}
        onLeave={onLeave}
      />
    )
  const aside = (
    <>
      <span className={classes.mark}>{mark}</span>
      {close}
    </>
  )
  if (found) return <Review initial={stage.state} title={title} aside={aside} onEnd={onLeave} />
  return (
    <Batch
      key={stage.batch}
      initial={stage.state}
      no={no}
      title={title}
      aside={aside}
      onAgain={() => deal('undone')}
      onLeave={onLeave}
    />
  )
}

function Done({ onWrong, onRound, onLeave }: Record<'onWrong' | 'onRound' | 'onLeave', () => void>) {
  return (
    <section className={classes.done}>
      <h1 ref={focusOn} tabIndex={-1}>
        本章已全部做完
      </h1>
      <p>可以只看做错的题，也可以从头再做一遍。做题记录都会保留。</p>
      <Button onClick={onWrong}>只做错题</Button>
      <Button look="light" onClick={onRound}>
        再做一遍
      </Button>
      <Button look="quiet" tone="plain" onClick={onLeave}>
        返回题库
      </Button>
    </section>
  )
}

interface BatchProps {
  initial: PlayerState
  no: string
  title: string
  aside: ReactNode
  onAgain: () => void
  onLeave: () => void
}

function Batch({ initial, no, title, aside, onAgain, onLeave }: BatchProps) {
  const player = usePlayer(initial, draftKey(no))
  const { state, dispatch } = player
  const [at, setAt] = useState<'studying' | 'ended' | PlayerState>('studying')
  const end = useCallback(() => setAt('ended'), [])
  useLastView(at === 'studying')
  // Needed at the end, when the network may be gone; not before the first question.
  useEffect(() => void loadSummary().catch(() => {}), [])
  if (at === 'studying') return <Player player={player} title={title} onEnd={end} aside={aside} />
  if (at !== 'ended') return <Review initial={at} title={title} aside={aside} onEnd={end} />
  const goOn = () => {
    dispatch({ type: 'mode', mode: 'practice' })
    dispatch({ type: 'go', at: Math.max(0, firstUndone(state)) })
    setAt('studying')
  }
  const finish = (then: () => void) => () => void offline.dropDraft(draftKey(no)).then(then, then)
  const again = async () => {
    if (isFinished(state) || (await mayDrop())) finish(onAgain)()
  }
  return (
    <Suspense>
      <BatchSummary
        state={state}
        onBack={goOn}
        onAgain={() => void again()}
        onLeave={isFinished(state) ? finish(onLeave) : onLeave}
        onReview={(items) => setAt({ ...state, items, at: 0, mode: 'practice' })}
      />
    </Suspense>
  )
}

/** Marked questions again, or one that was searched for: the batch that was left stays as it is. */
function Review({
  initial,
  title,
  aside,
  onEnd,
}: {
  initial: PlayerState
  title: string
  aside: ReactNode
  onEnd: () => void
}) {
  const player = usePlayer(initial, null)
  return <Player player={player} title={title} onEnd={onEnd} aside={aside} />
}

const mayDrop = async (): Promise<boolean> =>
  (await feedback.ask({
    title: '再来一组',
    message: '这一组还有题没做完，没有确认的作答不会保留。要开始新的一组吗？',
    actions: [
      { key: 'cancel', label: '取消' },
      { key: 'again', label: '开始新的一组', tone: 'primary' },
    ],
  })) === 'again'
