import { IconX } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useCallback, useEffect, useState } from 'react'
import { offline } from '#src/offline/index.ts'
import { isFinished, type PlayerState, start } from '#src/player/player.ts'
import { Player } from '#src/player/Player.tsx'
import { usePlayer } from '#src/player/usePlayer.ts'
import { ErrorCard } from '#src/ui/ErrorCard.tsx'
import { Button } from '#src/ui/Button.tsx'
import { draftKey, newBatch, openBatch, type Pick, startRound } from './batch.ts'
import { BatchSummary } from './parts/BatchSummary.tsx'
import { StudySkeleton } from './parts/StudySkeleton.tsx'
import classes from './StudyPage.module.css'

interface StudyPageProps {
  /** A chapter at any level, or a library. */
  no: string
  /** Questions in a batch. */
  size: number
  title: string
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
export function StudyPage({ no, size, title, onLeave, mark }: StudyPageProps) {
  const client = useQueryClient()
  const [stage, setStage] = useState<Stage>({ at: 'loading' })
  const show = useCallback((loading: Promise<PlayerState | null>) => {
    loading.then(
      (state) => setStage(state ? { at: 'studying', state, batch: Date.now() } : { at: 'done' }),
      (error: unknown) => setStage({ at: 'failed', error }),
    )
  }, [])
  const open = useCallback(() => show(openBatch(client, no, size)), [client, no, size, show])
  useEffect(open, [open])
  const deal = (pick: Pick) => {
    setStage({ at: 'loading' })
    show(newBatch(client, no, size, pick))
  }
  const retry = () => {
    setStage({ at: 'loading' })
    open()
  }
  const close = (
    <button type="button" className={classes.leave} aria-label="退出练习" onClick={onLeave}>
      <IconX size={22} />
    </button>
  )

  if (stage.at === 'loading') return <StudySkeleton title={title} />
  if (stage.at === 'failed') return <ErrorCard error={stage.error} onRetry={retry} onLeave={onLeave} />
  if (stage.at === 'done')
    return (
      <section className={classes.done}>
        <h1>本章已全部做完</h1>
        <p>可以只看做错的题，也可以从头再做一遍。做题记录都会保留。</p>
        <Button onClick={() => deal('wrong')}>只做错题</Button>
        <Button look="light" onClick={() => void startRound(no, Date.now()).then(() => deal('undone'))}>
          再做一遍
        </Button>
        <Button look="quiet" tone="plain" onClick={onLeave}>
          返回题库
        </Button>
      </section>
    )
  return (
    <Batch
      key={stage.batch}
      initial={stage.state}
      no={no}
      title={title}
      aside={
        <>
          <span className={classes.mark}>{mark}</span>
          {close}
        </>
      }
      onAgain={() => deal('undone')}
      onReview={(state) => setStage({ at: 'studying', state, batch: Date.now() })}
      onLeave={onLeave}
    />
  )
}

interface BatchProps {
  initial: PlayerState
  no: string
  title: string
  aside: ReactNode
  onAgain: () => void
  onReview: (state: PlayerState) => void
  onLeave: () => void
}

function Batch({ initial, no, title, aside, onAgain, onReview, onLeave }: BatchProps) {
  const player = usePlayer(initial, draftKey(no))
  const [ended, setEnded] = useState(false)
  const end = useCallback(() => setEnded(true), [])
  if (!ended) return <Player player={player} title={title} onEnd={end} aside={aside} />
  const finish = (then: () => void) => () => void offline.dropDraft(draftKey(no)).then(then, then)
  return (
    <BatchSummary
      state={player.state}
      onBack={() => setEnded(false)}
      onAgain={finish(onAgain)}
      onLeave={isFinished(player.state) ? finish(onLeave) : onLeave}
      // Looking through again in recite mode records nothing.
      onReview={(items) => onReview(start(items, 'recite'))}
    />
  )
}
