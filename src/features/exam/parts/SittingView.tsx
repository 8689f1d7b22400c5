import { IconX } from '@tabler/icons-react'
import { onlineManager } from '@tanstack/react-query'
import { type ReactNode, useCallback, useEffect, useEffectEvent, useRef, useState, useSyncExternalStore } from 'react'
import type { ExamPaper } from '#src/contract/exam.ts'
import { resultsAt } from '#src/domain/paper/exam.ts'
import { offline } from '#src/offline/index.ts'
import { Flag, HandInButton, HandInDialog } from '#src/player/paper/Exam.tsx'
import { Player } from '#src/player/Player.tsx'
import type { PlayerState } from '#src/player/playerState.ts'
import { SectionLine } from '#src/player/paper/SectionLine.tsx'
import { type PlayerHandle, usePlayer } from '#src/player/usePlayer.ts'
import { timeText } from '#src/ui/dates.ts'
import { feedback } from '#src/ui/feedback/feedback.ts'
import { IconButton } from '#src/ui/IconButton.tsx'
import { useAtTop } from '#src/ui/list/useAtTop.ts'
import { Countdown } from '#src/sitting/Countdown.tsx'
import { useAskedLeave } from '#src/sitting/useAskedLeave.ts'
import { useClock } from '#src/sitting/useClock.ts'
import { type ExamSitting, handIn, isHanded, keepChoices, keepElapsed, stateKey } from '../sitting.ts'
import { type SittingTime, timeOf } from '../time.ts'
import classes from '../Exams.module.css'

interface SittingViewProps {
  sitting: ExamSitting
  paper: ExamPaper
  state: PlayerState
  /** As it was kept last. */
  elapsedMs: number
  mark: ReactNode
  onReport: () => void
  onLeave: () => void
}
const NOT_KEPT = '本机存储写入失败，还没有交卷。答案都在这里，清理出空间后再交。'

/** The paper with its clock, until it is handed in: by the student, at zero, or in another tab. */
export function SittingView({ sitting, paper, state: initial, elapsedMs, mark, onReport, onLeave }: SittingViewProps) {
  const player = usePlayer(initial, stateKey(sitting.id, false), 'exam')
  const { state, dispatch } = player
  const clock = useClock(sitting, { keptMs: elapsedMs, keep: keepElapsed })
  const [time] = useState(() => timeOf(sitting, paper, clock, { state: initial, elapsedMs }))
  const leftMs = time.left(clock.elapsedMs)
  const [asking, setAsking] = useState(false)
  // 练习 stops its clock.
  const leave = useAskedLeave(sitting.mode === 'exam' && leftMs > 0, onLeave, '/exam/exam_report/')
  const online = useSyncExternalStore(onlineManager.subscribe.bind(onlineManager), () => onlineManager.isOnline())
  const { busy, hand } = useHandIn(sitting, player, time, onReport)
  useAtTop()
  useKeepChoices(sitting, player, time)
  useSealing(leftMs <= 0, time, { reread: clock.reread, hand })
  useEffect(
    () =>
      offline.onChange((changed) => {
        if (changed !== null && !changed.includes('exam')) return
        void offline.things('exam').then((attempts) => {
          if (isHanded(attempts.get(sitting.id), true)) onReport()
        })
      }),
    [onReport, sitting.id],
  )
  const go = (at: number) => {
    setAsking(false)
    dispatch({ type: 'go', at })
  }
  const aside = (
    <>
      <HandInButton onClick={() => setAsking(true)} />
      <span className={classes.mark}>{mark}</span>
      <IconButton aria-label="离开考试" onClick={leave}>
        <IconX size={22} />
      </IconButton>
    </>
  )
  return (
    <>
      <Player
        player={useTimed(player, time)}
        title={paper.title}
        onEnd={() => setAsking(true)}
        aside={aside}
        tool={<Flag player={player} />}
        above={<SectionLine paper={paper} state={state} />}
        tools={<Countdown leftMs={leftMs} />}
        endLabel="交卷"
      />
      {asking && (
        <HandInDialog
          state={state}
          busy={busy}
          outcome={outcomeOf(paper, online)}
          onGo={go}
          onHandIn={hand}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  )
}

/** What handing in comes to: the marks are the server's to give. */
function outcomeOf(paper: ExamPaper, online: boolean): string {
  const outAt = resultsAt(paper)
  if (outAt !== null) return `成绩和解析在 ${timeText(outAt)} 排名截止后公布`
  return online ? '交卷后就能看成绩和解析' : '答卷先封存在本机，联网上报后才能看成绩和解析'
}

/** At zero it is handed in; first the server is asked the time, where there is a network and the phone's clock alone says so. */
function useSealing(over: boolean, time: SittingTime, acts: { reread: () => void; hand: () => void }): void {
  const { reread, hand } = acts
  useEffect(() => {
    if (!over) return
    if (!time.isDoubtful() || !onlineManager.isOnline()) return hand()
    let current = true
    void offline
      .sendSoon()
      .catch(() => {})
      .then(() => {
        if (!current) return
        reread()
        if (time.isOver()) hand()
      })
    return () => {
      current = false
    }
  }, [over, time, reread, hand])
}

/** Nothing is answered once the time is over, though sealing may take a moment, or fail on a full device. */
function useTimed(player: PlayerHandle, { isOver }: SittingTime): PlayerHandle {
  const { dispatch: anyEvent, choose: anyChoice } = player
  const dispatch = useCallback<PlayerHandle['dispatch']>(
    (event) => {
      if (!('part' in event) || !isOver()) anyEvent(event)
    },
    [anyEvent, isOver],
  )
  const choose = useCallback<PlayerHandle['choose']>(
    (...choice) => {
      if (!isOver()) anyChoice(...choice)
    },
    [anyChoice, isOver],
  )
  return { ...player, dispatch, choose }
}

/**
 * Choices go up when their question is left, and when the page is: a phone that is locked may not come back in time. What the
 * last visit left unsent, at once.
 */
function useKeepChoices(
  sitting: ExamSitting,
  { state, dispatch }: PlayerHandle,
  { isOver, chosen }: SittingTime,
): void {
  const keep = useEffectEvent(() => {
    // Then they go with the hand-in.
    if (isOver()) return
    keepChoices(sitting, state, chosen(state)).then(
      (kept) => kept.forEach(dispatch),
      // They are in the draft, and go with the hand-in.
      () => {},
    )
  })
  const seen = useRef(-1)
  useEffect(() => {
    if (seen.current === state.at) return
    seen.current = state.at
    keep()
  }, [state.at])
  useEffect(() => {
    const left = () => document.visibilityState === 'hidden' && keep()
    const gone = () => keep()
    document.addEventListener('visibilitychange', left)
    window.addEventListener('pagehide', gone)
    return () => {
      document.removeEventListener('visibilitychange', left)
      window.removeEventListener('pagehide', gone)
    }
  }, [])
}

/** Hands in once, however often it is asked to. */
function useHandIn(sitting: ExamSitting, { state }: PlayerHandle, time: SittingTime, onReport: () => void) {
  const [busy, setBusy] = useState(false)
  const now = useRef({ state, busy: false })
  useEffect(() => {
    now.current.state = state
  })
  const [hand] = useState(() => () => {
    if (now.current.busy) return
    now.current.busy = true
    setBusy(true)
    void handIn(sitting, now.current.state, time.elapsed(), time.chosen(now.current.state))
      .then(onReport, () => void feedback.warn(NOT_KEPT))
      .finally(() => {
        now.current.busy = false
        setBusy(false)
      })
  })
  return { busy, hand }
}
