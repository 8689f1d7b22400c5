import { IconFlag, IconFlagFilled, IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useCallback, useEffect, useState } from 'react'
import type { Paper } from '#src/contract/questionSet.ts'
import { offline } from '#src/offline/index.ts'
import { firstUndone, type Item, type PlayerState, partState } from '#src/player/player.ts'
import { Player } from '#src/player/Player.tsx'
import { type PlayerHandle, usePlayer } from '#src/player/usePlayer.ts'
import { useLastView } from '#src/session/lastView.ts'
import { ErrorCard } from '#src/ui/ErrorCard.tsx'
import { feedback } from '#src/ui/feedback.ts'
import { IconButton } from '#src/ui/IconButton.tsx'
import { HandInDialog } from './parts/HandInDialog.tsx'
import { PaperReport } from './parts/PaperReport.tsx'
import { SectionLine } from './parts/SectionLine.tsx'
import { Skeleton } from './parts/Skeleton.tsx'
import { useAtTop } from './parts/useAtTop.ts'
import { paperQuery } from './queries.ts'
import { draftKey, handIn, handInEvent, newSitting, openSitting, rememberedMode, type SetMode } from './sitting.ts'
import classes from './Paper.module.css'

interface PaperPageProps {
  no: string
  itemNo: string
  onLeave: () => void
  /** The mark of syncing. */
  mark?: ReactNode
}
interface Opened {
  /** The paper as it was when the sitting began: a fresher one must not change it under the student's eyes. */
  paper: Paper
  state: PlayerState
  /** A new one is another sitting. */
  id: number
}

/** 套卷练习: goes on with the paper where it was left, in the mode that was chosen. */
export function PaperPage({ no, itemNo, onLeave, mark }: PaperPageProps) {
  const { data: paper, error, isPending, refetch } = useQuery(paperQuery(no, itemNo))
  const [mode] = useState(rememberedMode)
  const [opened, setOpened] = useState<Opened | null>(null)
  const sitting = useCallback((of: Paper, state: PlayerState) => setOpened({ paper: of, state, id: Date.now() }), [])
  useEffect(() => {
    if (paper && !opened) void openSitting(paper, mode).then((state) => sitting(paper, state))
  }, [paper, opened, mode, sitting])
  useLastView(isPending || opened ? null : false)
  if (opened)
    return (
      <Sitting
        key={opened.id}
        {...opened}
        mode={mode}
        mark={mark}
        onLeave={onLeave}
        onAgain={() => {
          const begin = () => sitting(paper ?? opened.paper, newSitting(paper ?? opened.paper, mode))
          void offline.dropDraft(draftKey(itemNo, mode)).then(begin, begin)
        }}
      />
    )
  if (isPending || paper) return <Skeleton />
  return <ErrorCard error={error} onRetry={() => void refetch()} onLeave={onLeave} />
}

interface SittingProps extends Opened {
  mode: SetMode
  mark: ReactNode
  onAgain: () => void
  onLeave: () => void
}

function Sitting({ paper, state: initial, mode, mark, onAgain, onLeave }: SittingProps) {
  const player = usePlayer(initial, draftKey(paper.no, mode))
  const { state, dispatch } = player
  const [at, setAt] = useState<'doing' | 'handing-in' | 'report' | Item[]>(
    initial.mode === 'review' ? 'report' : 'doing',
  )
  useLastView(at === 'doing')
  const report = useCallback(() => setAt('report'), [])
  const end = () => setAt(state.mode === 'exam' ? 'handing-in' : 'report')
  const hand = async () => {
    try {
      await handIn(paper, state)
      dispatch(handInEvent(paper))
      report()
    } catch {
      setAt('doing')
      await feedback.warn('本机存储写入失败，还没有交卷。答案都在这里，清理出空间后再交。')
    }
  }
  const close = (
    <IconButton aria-label="退出练习" onClick={onLeave}>
      <IconX size={22} />
    </IconButton>
  )
  const shown = { paper, mark, close, title: paper.title }
  if (Array.isArray(at)) return <Review {...shown} initial={{ ...state, items: at, at: 0 }} onEnd={report} />
  if (at === 'report')
    return (
      <PaperReport
        paper={paper}
        state={state}
        onGo={(place) => {
          dispatch({ type: 'go', at: place })
          setAt('doing')
        }}
        onMore={() => {
          dispatch({ type: 'mode', mode: 'practice' })
          dispatch({ type: 'go', at: Math.max(0, firstUndone(state)) })
          setAt('doing')
        }}
        onReview={setAt}
        onAgain={onAgain}
        onLeave={onLeave}
      />
    )
  return (
    <>
      <Screen {...shown} player={player} onEnd={end} />
      {at === 'handing-in' && (
        <HandInDialog
          state={state}
          onGo={(place) => {
            dispatch({ type: 'go', at: place })
            setAt('doing')
          }}
          onHandIn={() => void hand()}
          onClose={() => setAt('doing')}
        />
      )}
    </>
  )
}

interface ScreenProps {
  paper: Paper
  title: string
  mark: ReactNode
  close: ReactNode
  player: PlayerHandle
  onEnd: () => void
}

/** The player with what a paper adds: section and marks, 存疑, 交卷. */
function Screen({ paper, title, mark, close, player, onEnd }: ScreenProps) {
  const { state } = player
  useAtTop()
  const aside = (
    <>
      {state.mode === 'exam' && (
        <button type="button" className={classes.handIn} onClick={onEnd}>
          交卷
        </button>
      )}
      <span className={classes.mark}>{mark}</span>
      {close}
    </>
  )
  return (
    <Player
      player={player}
      title={title}
      onEnd={onEnd}
      aside={aside}
      tool={state.mode === 'exam' ? <Flag player={player} /> : state.mode === 'review' ? <></> : undefined}
      above={<SectionLine paper={paper} state={state} />}
      endLabel={state.mode === 'exam' ? '交卷' : '看结果'}
    />
  )
}

function Flag({ player: { state, dispatch } }: { player: PlayerHandle }) {
  const part = state.items[state.at]?.part
  if (!part) return null
  const flagged = partState(state, part).flagged ?? false
  return (
    <button
      type="button"
      className={classes.flag}
      aria-pressed={flagged}
      onClick={() => dispatch({ type: 'flag', part })}
    >
      {flagged ? <IconFlagFilled size={18} aria-hidden="true" /> : <IconFlag size={18} aria-hidden="true" />}
      <span>存疑</span>
    </button>
  )
}

/** Looks through some of the questions again: the sitting stays as it is. */
function Review({ initial, ...shown }: Omit<ScreenProps, 'player'> & { initial: PlayerState }) {
  return <Screen {...shown} player={usePlayer(initial, null)} />
}
