import { useCallback } from 'react'
import type { ExamAttempt } from '#src/contract/attempt.ts'
import { type DeadOp, offline } from '#src/offline/index.ts'
import { useRecord } from '#src/offline/useRecord.ts'
import { isHanded, readPaper, readSitting, refusalsOf } from './sitting.ts'

const isExam = (changed: string): boolean => changed === 'exam'

export type Handed = ExamAttempt & { id: string; handedAt: number }
export interface MySittings {
  /** Open on this device. */
  open: { id: string; mode: ExamAttempt['mode']; startedAt: number } | null
  /** The newest first. */
  handed: Handed[]
}

/** Of one exam; null until the device has been read. */
export function useSittings(no: string): MySittings | null {
  const read = useCallback(async (): Promise<MySittings> => {
    const [attempts, begun] = await Promise.all([offline.things('exam'), readSitting(no)])
    const hasPaper = begun !== null && (await readPaper(begun.id)) !== null
    const handed = [...attempts].flatMap(([id, attempt]): Handed[] => {
      const { handedAt } = attempt
      const mayFollow = begun?.id === id && !isHanded(attempt, hasPaper)
      return attempt.exam === no && handedAt !== null && !mayFollow ? [{ ...attempt, id, handedAt }] : []
    })
    const open = begun && !handed.some(({ id }) => id === begun.id) ? begun : null
    return { open, handed: handed.sort((a, b) => b.handedAt - a.handedAt) }
  }, [no])
  const { data, failed } = useRecord(read, isExam)
  return data ?? (failed ? { open: null, handed: [] } : null)
}

export interface Receipt {
  attempt: ExamAttempt | null
  /** The hand-in has not reached the server yet. */
  waiting: boolean
  /** It was refused. */
  refused: DeadOp | null
}

/** One sitting as the record has it, and how far its hand-in has come; null until the device has been read. */
export function useReceipt(attemptId: string): Receipt | null {
  const read = useCallback(async (): Promise<Receipt> => {
    const [attempts, waiting, [refused = null]] = await Promise.all([
      offline.things('exam'),
      offline.waiting(),
      refusalsOf(attemptId),
    ])
    const attempt = attempts.get(attemptId) ?? null
    return { attempt, waiting: waiting.some(({ opId, acked }) => opId === attempt?.handIn && !acked), refused }
  }, [attemptId])
  const { data, failed } = useRecord(read, isExam)
  return data ?? (failed ? { attempt: null, waiting: false, refused: null } : null)
}
