import type { DraftOf } from '#src/offline/drafts/kind.ts'
import type { Snapshot } from '#src/offline/drafts/practice.ts'
import { useState } from 'react'
import type { Source } from '#src/contract/study.ts'
import { answerAct, offline } from '#src/offline/index.ts'
import { handInOf, keepMisses, notHandedIn } from '#src/player/paper/handInOf.ts'
import { HandInDialog } from '#src/player/paper/Exam.tsx'
import { next } from '#src/player/playerState.ts'
import type { PlayerHandle } from '#src/player/usePlayer.ts'
import { feedback } from '#src/ui/feedback/feedback.ts'

interface HandInProps {
  player: PlayerHandle
  from: Source
  onGo: (at: number) => void
  onClose: () => void
  /** It is on disk. */
  onDone: () => void
  /** What is on disk is to be shown instead of what is on the screen. */
  onStale: () => void
}

/**
 * 交卷 of a batch: its answers and what resumes it are one write, so that it is handed in wholly or not at all; and once, because
 * nothing is written when another tab has handed it in.
 */
export function HandIn({ player: { state, keep }, from, onGo, onClose, onDone, onStale }: HandInProps) {
  const [busy, setBusy] = useState(false)
  const hand = async () => {
    const [first] = state.items
    if (busy || !first) return
    setBusy(true)
    const { facts, event } = handInOf(state, from, false)
    let stale = false
    let failed: unknown = null
    const write = async (draft?: DraftOf<Snapshot>) => {
      const opIds = await offline.addAll(facts.map(answerAct), draft).catch((error: unknown) => {
        failed = error
        throw error
      })
      // No ids where there was nothing to record, too: what is on disk tells.
      stale = opIds.length === 0
      if (stale) throw new Error('handed in elsewhere')
    }
    if (await keep(first.part, write, event)) {
      void keepMisses(next(state, event)).catch(() => {})
      return onDone()
    }
    if (stale) return onStale()
    onClose()
    await feedback.warn(notHandedIn(failed))
  }
  return <HandInDialog state={state} busy={busy} onGo={onGo} onHandIn={() => void hand()} onClose={onClose} />
}
