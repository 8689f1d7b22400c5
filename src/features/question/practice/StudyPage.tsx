import { IconX } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useCallback, useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { serverNow } from '#src/offline/device/serverClock.ts'
import { chapterBatch } from '#src/offline/drafts/practice.ts'
import { offline } from '#src/offline/index.ts'
import { OWNER_KEYS } from '#src/device/keys.ts'
import type { PlayerState } from '#src/player/playerState.ts'
import { useLastView } from '#src/session/lastView.ts'
import { ErrorCard } from '#src/ui/ErrorCard.tsx'
import { feedback } from '#src/ui/feedback/feedback.ts'
import { IconButton } from '#src/ui/IconButton.tsx'
import { deviceMemory } from '#src/device/stores.ts'
import { Batch, loadParts, Review } from './Batch.tsx'
import { newBatch, openBatch, openFound, startRound } from './openBatch.ts'
import type { Pick } from '../dealt.ts'
import { outlineQuery } from '../queries.ts'
import { StudySkeleton } from '../parts/StudySkeleton.tsx'
import classes from './StudyPage.module.css'

const Done = lazy(() => loadParts().then((parts) => ({ default: parts.Done })))

interface StudyPageProps {
  /** A chapter at any level, or a library. */
  no: string
  /** Questions in a batch. */
  size: number
  /** Shown until the chapter's own is known. */
  title: string
  /** This question alone, of this block of the chapter where that is known. The batch that was left stays. */
  found?: string | undefined
  block?: number | undefined
  onLeave: () => void
  onSize: (size: number) => void
  /** To another chapter. */
  onNext: (chapter: { no: string; title: string }) => void
  /** The mark of syncing. */
  mark?: ReactNode
}
type Stage =
  | { at: 'loading' }
  | { at: 'failed'; error: unknown }
  | { at: 'done' }
  | { at: 'studying'; state: PlayerState; batch: number }

/** 章节练习: resumes the batch that was left, or deals the next undone questions. */
export function StudyPage(props: StudyPageProps) {
  const { no, size, found, onLeave, onNext, mark } = props
  // An address says what somebody wrote into it. The outline is asked for by the route, and kept on the device.
  const { data: outline } = useQuery(outlineQuery(no))
  const title = outline?.title ?? props.title
  const { stage, deal, retry, anew } = useDealing(props)
  useLastView(!found && (stage.at === 'loading' || stage.at === 'studying') ? null : false)
  const begun = stage.at === 'studying' && !found
  useEffect(() => {
    if (begun) deviceMemory.set(OWNER_KEYS.lastChapter(offline.owner), `${no}/${size}/${title}`)
  }, [begun, no, size, title])
  if (stage.at === 'loading') return <StudySkeleton />
  if (stage.at === 'failed') return <ErrorCard error={stage.error} onRetry={retry} onLeave={onLeave} />
  if (stage.at === 'done')
    return (
      <Suspense fallback={<StudySkeleton />}>
        <Done
          no={no}
          onWrong={() => deal('wrong')}
          onRound={() => void startRound(no, serverNow()).then(() => deal('undone'))}
          onNew={anew}
          onLeave={onLeave}
          onNext={onNext}
        />
      </Suspense>
    )
  const around = {
    title,
    mark: <span className={classes.mark}>{mark}</span>,
    close: (
      <IconButton aria-label="退出练习" onClick={onLeave}>
        <IconX size={22} />
      </IconButton>
    ),
  }
  if (found) return <Review {...around} from="library" initial={stage.state} onEnd={onLeave} />
  return (
    <Batch
      key={stage.batch}
      initial={stage.state}
      draft={chapterBatch.key(no)}
      from="library"
      {...around}
      setup={{ no, onNew: anew }}
      onAgain={() => deal('undone')}
      onLeave={onLeave}
      next={{ no, onGo: onNext }}
      onStale={retry}
    />
  )
}

/** What is on the screen, and the ways to another batch. */
function useDealing({ no, size, found, block, onSize }: StudyPageProps) {
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
  const wait = () => setStage({ at: 'loading' })
  const deal = (pick: Pick) => {
    wait()
    const dealt = newBatch(client, no, size, pick)
    show(dealt)
    if (pick === 'wrong')
      void dealt.then(
        (state) => state ?? feedback.toast('没有上次做错的题'),
        () => {},
      )
  }
  const retry = () => {
    wait()
    open()
  }
  /** What was left is given up for a batch of the set-up as it is now. */
  const anew = (count: number | null) => {
    // Gone from the screen first: what leaves the screen is saved once more.
    flushSync(wait)
    const then = () => (count === null || count === size ? open() : onSize(count))
    void offline.dropDraft(chapterBatch.key(no)).then(then, then)
  }
  return { stage, deal, retry, anew }
}
